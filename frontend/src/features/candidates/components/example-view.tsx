import { Link } from '@tanstack/react-router'
import type { Candidate, Example } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { printable, shortened } from '../state/printable'
import { ruleName } from '../state/rule-words'
import { Fate, Flags, LastWord, Origin } from './candidate-facts'
import { DecideButton } from './candidate-row'
import rows from './candidate-row.module.css'
import { CaptionText } from './caption-text'
import styles from './funnel-page.module.css'
import { WordChanges } from './word-changes'

export interface ExampleViewProps {
  slug: string
  example: Example
  isActive: boolean
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

/** A caption as it came, what the rules made of it, and the way to undo it. */
export function ExampleView({ slug, example, isActive, onRestore, onDrop }: ExampleViewProps) {
  const { candidate, image, seen, repaired } = example
  const { small } = image.thumbnail
  return (
    <>
      <Link
        to="/projects/$slug/images/$imageId/captions"
        params={{ slug, imageId: String(image.id) }}
        aria-label={image.title ? t.allCaptionsOf({ title: image.title }) : t.allCaptionsOfThis}
      >
        <img className={rows.picture} src={small.url} alt="" width={64} height={64} loading="lazy" decoding="async" />
      </Link>
      <div className={rows.words}>
        {seen !== candidate.raw_text ? (
          <WordChanges before={candidate.raw_text} after={seen} />
        ) : (
          <CaptionText text={candidate.raw_text} />
        )}
        <p className={rows.about}>
          <Fate candidate={candidate} />
          <Flags flags={candidate.flags} />
        </p>
        {candidate.repeats && (
          <p className={rows.about}>
            <Link
              to="/projects/$slug/images/$imageId/captions"
              params={{ slug, imageId: String(image.id) }}
              search={{ text: candidate.repeats.text.slice(0, 60) }}
              className={rows.repeated}
            >
              <bdi>{printable(shortened(candidate.repeats.text))}</bdi>
            </Link>
          </p>
        )}
        <p className={rows.about}>
          <Origin candidate={candidate} />
          {repaired.length > 0 && (
            <span className={styles.by}>{t.repairedBy({ ruleName: repaired.map(ruleName).join(', ') })}</span>
          )}
        </p>
        <LastWord decision={candidate.decision} />
      </div>
      <DecideButton scope="funnel" candidate={candidate} isActive={isActive} onRestore={onRestore} onDrop={onDrop} />
    </>
  )
}
