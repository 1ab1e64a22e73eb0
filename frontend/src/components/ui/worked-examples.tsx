import type { WorkedExample as Example } from '@/lib/api/served'
import { findChanges } from '@/lib/judging/find-edits'
import { t } from '@/messages/judging'
import { LabelBadge } from './badge'
import { EditedCaption } from './edited-caption'
import styles from './worked-examples.module.css'

/** The examples of the guidelines: a picture, words, how they are rightly judged, and why. */
export function WorkedExamples({ examples }: { examples: readonly Example[] }) {
  if (examples.length === 0) return null
  return (
    <section className={styles.section} aria-label={t.examples}>
      <h2 className={styles.title}>{t.examples}</h2>
      <ol className={styles.list}>
        {examples.map((example, index) => (
          <li key={index} className={styles.example}>
            <WorkedExample example={example} number={index + 1} />
          </li>
        ))}
      </ol>
    </section>
  )
}

export interface WorkedExampleProps {
  example: Example
  number: number
  /** Where it is read for the first time. Else it is small: it reminds, and the work beside it stays in sight. */
  isLarge?: boolean
}

/** One of them. */
export function WorkedExample({ example, number, isLarge = false }: WorkedExampleProps) {
  const picture = isLarge ? example.thumbnail.large : example.thumbnail.small
  return (
    <>
      <img
        className={isLarge ? styles.large : styles.picture}
        src={picture.url}
        alt={t.examplePhotograph({ n: number })}
        width={picture.width}
        height={picture.height}
        loading="lazy"
        decoding="async"
      />
      <div className={styles.words}>
        <p className={styles.text} dir="auto">
          <EditedCaption text={example.text} edits={editsOf(example)} />
        </p>
        <LabelBadge label={example.label} />
        <p className={styles.why} dir="auto">
          {example.explanation}
        </p>
      </div>
    </>
  )
}

const editsOf = ({ text, edited_text: edited }: Example) =>
  edited ? findChanges(text, edited).map((change) => ({ ...change, kind: 'other' as const })) : []
