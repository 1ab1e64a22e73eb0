import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Suspect } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/candidates'
import { printable } from '../state/printable'
import { decisionLooks, evidenceOf, type Verdict } from '../state/suspect-words'
import styles from './leakage-page.module.css'
import { RowButton } from './row-button'

export interface SuspectRowProps {
  slug: string
  suspect: Suspect
  /** Shows what differs between the two images in place of the corpus image. */
  isDifference: boolean
  /** The row that the keys act on: its buttons show theirs. */
  isActive: boolean
  onDecide: (suspect: Suspect, decision: Verdict) => void
}

/** A photograph of the project beside the picture of a corpus that may be the same, and the way to decide. */
export function SuspectRow({ slug, suspect, isDifference, isActive, onDecide }: SuspectRowProps) {
  return (
    <>
      <Target slug={slug} suspect={suspect} />
      <figure className={styles.side}>
        {isDifference ? (
          <span className={styles.stack}>
            <Lender suspect={suspect} />
            <img
              className={cx(styles.picture, styles.over)}
              src={suspect.thumbnail.small.url}
              alt={t.difference}
              loading="lazy"
              decoding="async"
            />
          </span>
        ) : (
          <Lender suspect={suspect} />
        )}
        <figcaption className={styles.whose}>
          <span className={styles.role}>{suspect.corpus}</span> <bdi>{printable(suspect.key)}</bdi>
        </figcaption>
      </figure>
      <div className={styles.facts}>
        <Standing suspect={suspect} />
        <ul className={styles.evidence} aria-label={t.whatMakesSuspect}>
          {evidenceOf(suspect).map((seen) => (
            <li key={seen}>{seen}</li>
          ))}
        </ul>
        <Verdicts suspect={suspect} isActive={isActive} onDecide={onDecide} />
      </div>
    </>
  )
}

function Target({ slug, suspect }: { slug: string; suspect: Suspect }) {
  const { small, large } = suspect.thumbnail
  const name = suspect.image_title || suspect.image_key
  return (
    <figure className={styles.side}>
      <img
        className={styles.picture}
        src={small.url}
        srcSet={`${small.url} ${small.width}w, ${large.url} ${large.width}w`}
        sizes="(max-width: 40rem) 45vw, 22rem"
        alt={t.photographNamed({ name })}
        loading="lazy"
        decoding="async"
      />
      <figcaption className={styles.whose}>
        <span className={styles.role}>{t.photograph}</span>{' '}
        <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(suspect.image) }}>
          <bdi>{printable(name)}</bdi>
        </Link>
      </figcaption>
    </figure>
  )
}

/** The corpus picture, read out of its shard; a quiet place where it cannot be had any more. */
function Lender({ suspect }: { suspect: Suspect }) {
  const [isGone, setGone] = useState(false)
  if (isGone) {
    return (
      <span className={styles.gone}>
        <Icon name="image" size={28} strokeWidth={1.2} />
        {t.pictureUnreadable}
      </span>
    )
  }
  return (
    <img
      className={styles.picture}
      src={`/api/v1/suspects/${suspect.id}/picture`}
      alt={t.inCorpus({ corpus: suspect.corpus })}
      loading="lazy"
      decoding="async"
      onError={() => setGone(true)}
    />
  )
}

function Standing({ suspect: { decision, decided } }: { suspect: Suspect }) {
  const { tone, icon, word } = decisionLooks[decision]
  return (
    <p className={styles.standing}>
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      {decided && (
        <span className={styles.quiet}>
          <Sentence
            of={t.byWhom}
            parts={{ name: decided.decided_by, when: <RelativeTime at={decided.created_at} /> }}
          />
        </span>
      )}
    </p>
  )
}

const verdicts = [
  { decision: 'kept_out', icon: 'cross', action: 'leakage.keepOut' },
  { decision: 'allowed', icon: 'check', action: 'leakage.allow' },
] as const

/** The one that stands is pressed and not disabled: a button that is keeps no focus. */
function Verdicts({ suspect, isActive, onDecide }: Omit<SuspectRowProps, 'slug' | 'isDifference'>) {
  return (
    <div className={styles.verdicts}>
      {verdicts.map(({ decision, icon, action }) => (
        <RowButton
          key={decision}
          action={action}
          isActive={isActive}
          icon={icon}
          aria-pressed={suspect.decision === decision}
          onPress={() => suspect.decision !== decision && onDecide(suspect, decision)}
        />
      ))}
    </div>
  )
}
