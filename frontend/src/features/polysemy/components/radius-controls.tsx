import { Button } from '@/components/ui/button'
import { Slider } from '@/components/ui/slider'
import { formatCount } from '@/lib/format/numbers'
import styles from './radius-controls.module.css'

export interface RadiusControlsProps {
  radii: readonly number[]
  radius: number
  onRadius: (radius: number) => void
  isLog: boolean
  onLog: (isLog: boolean) => void
}

/** Which radius is read, by slider, and how the radius is drawn. */
export function RadiusControls({ radii, radius, onRadius, isLog, onLog }: RadiusControlsProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.choice}>
        <Slider
          label="Radius"
          shown={formatCount(radius)}
          min={0}
          max={Math.max(0, radii.length - 1)}
          value={Math.max(0, radii.indexOf(radius))}
          valueText={`${formatCount(radius)} neighbours`}
          disabled={radii.length < 2}
          onChange={(place) => onRadius(radii[place] ?? radius)}
        />
      </div>
      <div role="group" aria-label="Scale of the radius" className={styles.scales}>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={!isLog}
          className={isLog ? '' : (styles.on ?? '')}
          onPress={() => onLog(false)}
        >
          Linear
        </Button>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={isLog}
          className={isLog ? (styles.on ?? '') : ''}
          onPress={() => onLog(true)}
        >
          Logarithmic
        </Button>
      </div>
    </div>
  )
}
