import { Button } from '@/components/ui/button'
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
        <span className={styles.label}>
          <label htmlFor="polysemy-radius">Radius</label> {/* The slider says its value itself. */}
          <span className={styles.value} aria-hidden="true">
            {formatCount(radius)}
          </span>
        </span>
        <input
          id="polysemy-radius"
          className={styles.slider}
          type="range"
          min={0}
          max={Math.max(0, radii.length - 1)}
          value={Math.max(0, radii.indexOf(radius))}
          aria-valuetext={`${formatCount(radius)} neighbours`}
          disabled={radii.length < 2}
          onChange={(event) => onRadius(radii[event.currentTarget.valueAsNumber] ?? radius)}
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
