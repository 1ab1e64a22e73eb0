import { Slider } from '@/components/ui/slider'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/explore'
import { nRinged } from '../state/paint'
import styles from './shown-slider.module.css'

export interface ShownSliderProps {
  total: number
  picked: number
  shown: number
  onChange: (shown: number) => void
}

/** A smaller sample is the beginning of a larger one: the slider shows which images it would have taken. */
export function ShownSlider({ total, picked, shown, onChange }: ShownSliderProps) {
  return (
    <div className={styles.box}>
      <Slider
        label={t.firstPicksLabel}
        shown={formatCount(shown)}
        min={1}
        max={Math.max(1, picked)}
        value={shown}
        disabled={picked < 2}
        onChange={onChange}
      />
      <ul className={styles.legend} aria-label={t.legend}>
        <li>
          <span className={styles.disc} /> {t.pickedN({ shown: formatCount(shown) })}
        </li>
        <li>
          <span className={styles.square} /> {t.leftN({ total: formatCount(total - shown) })}
        </li>
        <li>
          <span className={styles.ring} /> {t.theFirstN({ nRinged: formatCount(Math.min(nRinged, shown)) })}
        </li>
      </ul>
    </div>
  )
}
