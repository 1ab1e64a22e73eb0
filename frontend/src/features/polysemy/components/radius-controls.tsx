import { Button } from '@/components/ui/button'
import { Slider } from '@/components/ui/slider'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
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
          label={t.radius}
          shown={formatCount(radius)}
          min={0}
          max={Math.max(0, radii.length - 1)}
          value={Math.max(0, radii.indexOf(radius))}
          valueText={t.neighboursN({ radius: formatCount(radius) })}
          disabled={radii.length < 2}
          onChange={(place) => onRadius(radii[place] ?? radius)}
        />
      </div>
      <div role="group" aria-label={t.scaleOfRadius} className={styles.scales}>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={!isLog}
          className={isLog ? '' : (styles.on ?? '')}
          onPress={() => onLog(false)}
        >
          {t.linear}
        </Button>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={isLog}
          className={isLog ? (styles.on ?? '') : ''}
          onPress={() => onLog(true)}
        >
          {t.logarithmic}
        </Button>
      </div>
    </div>
  )
}
