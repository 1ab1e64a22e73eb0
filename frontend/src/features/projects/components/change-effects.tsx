import { t } from '@/messages/projects'
import { differingNames, knobInWords, type Knobs, knobTitles } from '../state/knobs'
import styles from './project-settings-page.module.css'

const effects: Record<keyof Knobs, string> = {
  name: t.effectName,
  guidelines: t.effectGuidelines,
  overlap: t.judgingNote,
  captions_per_hit: t.judgingNote,
  lease_minutes: t.effectNextOpened,
  hits_per_annotator: t.effectLimit,
  shuffles_options: t.effectNextOpened,
  control_rate: t.judgingNote,
  confidence: t.effectNextAnswers,
  max_overlap: t.effectNextAnswers,
  pay_per_hit: t.effectForecast,
  pay_fee: t.effectForecast,
}

/** What each change is, and from when on it holds. */
export function ChangeEffects({ base, draft }: { base: Knobs; draft: Knobs }) {
  return (
    <ul aria-label={t.changes}>
      {differingNames(base, draft).map((name) => (
        <li key={name}>
          <b>{knobTitles[name]}</b>{' '}
          {name !== 'guidelines' && (
            <span className={styles.change}>
              {t.fromTo({ from: knobInWords(name, base[name]), to: knobInWords(name, draft[name]) })}
            </span>
          )}{' '}
          <span className={styles.note}>{effects[name]}</span>
        </li>
      ))}
    </ul>
  )
}
