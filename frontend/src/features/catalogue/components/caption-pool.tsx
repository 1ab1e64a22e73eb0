import type { ReactNode } from 'react'
import { CaptionChoice } from '@/components/caption-choice/caption-choice'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { useLabelLooks } from '@/components/ui/label-looks'
import { votesInWords } from '@/components/ui/label-words'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Selection, Votes } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/catalogue'
import { useCandidates } from '../api/get-candidates'
import { useSelection } from '../api/get-selection'
import { useVotes } from '../api/get-votes'
import { type Pool, type PooledCaption, poolOf } from '../state/pool'
import styles from './caption-pool.module.css'
import { DifficultyView } from './difficulty-view'

/** The status of every caption of one photograph, for curators and head annotators. */
export function CaptionPool({ slug, imageId }: { slug: string; imageId: number }) {
  const { data, error, isPending, refetch, ...pages } = useCandidates(slug, imageId)
  const votes = useVotes(slug, imageId).data ?? []
  const selection = useSelection(slug, imageId).data
  if (isPending) return <Skeleton label={t.theCaptions} />
  if (error) return <ErrorState error={error} title={t.captionsNotShown} onRetry={() => void refetch()} />
  const candidates = data.pages.flatMap((page) => page.results)
  if (candidates.length === 0) return <NoCaptions />
  return (
    <>
      <PoolView slug={slug} pool={poolOf(candidates, votes, selection)} selection={selection} />
      <MoreButton {...pages}>{t.moreCaptions}</MoreButton>
    </>
  )
}

function NoCaptions() {
  return (
    <section className={styles.group}>
      <h2 className={styles.title}>{t.captions}</h2>
      <p className={styles.note}>{t.noCaptions}</p>
    </section>
  )
}

function PoolView({ slug, pool, selection }: { slug: string; pool: Pool; selection: Selection | undefined }) {
  return (
    <>
      {pool.chosen.length > 0 && (
        <Group slug={slug} title={t.chosen} note={chosenNote(selection)} captions={pool.chosen} />
      )}
      {selection?.status === 'short_pool' && (
        <p className={styles.note}>{t.nothingChosen({ nGood: selection.n_good })}</p>
      )}
      {pool.kept.length > 0 && (
        <Group
          slug={slug}
          title={pool.chosen.length > 0 ? t.keptNotChosen : t.kept}
          note={pool.kept.some(({ votes }) => votes) ? t.mostDividedFirst : undefined}
          captions={pool.kept}
        />
      )}
      {pool.uncleaned.length > 0 && <Group slug={slug} title={t.notCleaned} captions={pool.uncleaned} />}
      {pool.dropped.length > 0 && (
        <details className={styles.group}>
          <summary className={styles.title}>{t.droppedN({ n: formatCount(pool.dropped.length) })}</summary>
          <CaptionList slug={slug} captions={pool.dropped} />
        </details>
      )}
    </>
  )
}

const chosenNote = (selection: Selection | undefined): string | undefined =>
  selection?.mean_similarity === null || selection?.mean_similarity === undefined
    ? undefined
    : t.meanSimilarity({ meanSimilarity: formatDecimal(selection.mean_similarity, 3) })

function Group({
  slug,
  title,
  note,
  captions,
}: {
  slug: string
  title: string
  note?: string | undefined
  captions: readonly PooledCaption[]
}) {
  return (
    <section className={styles.group}>
      <h2 className={styles.title}>
        {title}, {formatCount(captions.length)}
      </h2>
      {note && <p className={styles.note}>{note}</p>}
      <CaptionList slug={slug} captions={captions} />
    </section>
  )
}

function CaptionList({ slug, captions }: { slug: string; captions: readonly PooledCaption[] }) {
  return (
    <ul className={styles.list}>
      {captions.map((caption) => (
        <li key={caption.candidate.id} className={styles.caption}>
          <p className={styles.text} dir="auto">
            {caption.candidate.text || caption.candidate.raw_text}
          </p>
          <p className={styles.about}>
            <Fate caption={caption} />
            <span>{sourceName(caption.candidate.source)}</span>
            {caption.votes && caption.candidate.status === 'kept' && (
              <CaptionChoice
                slug={slug}
                candidate={caption.candidate.id}
                text={caption.candidate.text}
                choice={caption.votes.choice}
                mayPin={caption.votes.label === 'good'}
              />
            )}
          </p>
          {caption.difficulty && <DifficultyView difficulty={caption.difficulty} />}
        </li>
      ))}
    </ul>
  )
}

/** The rule that dropped it, or what people said of it. */
function Fate({ caption: { candidate, votes } }: { caption: PooledCaption }): ReactNode {
  const looks = useLabelLooks()
  if (candidate.status === 'dropped') {
    return (
      <span>
        <Badge tone="unsure">{candidate.drop_rule.replaceAll('_', ' ')}</Badge> {candidate.drop_detail}
      </span>
    )
  }
  if (!votes) return null
  return (
    <span className={styles.votes}>
      <ConsensusBadge votes={votes} />
      <VoteBar votes={votes} />
      {votesInWords({ good: votes.n_good, bad: votes.n_bad, unsure: votes.n_unsure }, looks)}
    </span>
  )
}

/** How the answers divide; the words beside it say the same. */
function VoteBar({ votes: { n_good: good, n_bad: bad, n_unsure: unsure } }: { votes: Votes }) {
  if (good + bad + unsure === 0) return null
  return (
    <span className={styles.bar} aria-hidden>
      {good > 0 && <span className={styles.good} style={{ flexGrow: good }} />}
      {bad > 0 && <span className={styles.bad} style={{ flexGrow: bad }} />}
      {unsure > 0 && <span className={styles.unsure} style={{ flexGrow: unsure }} />}
    </span>
  )
}

/** A tie, or too few votes, has no label. */
function ConsensusBadge({ votes: { label } }: { votes: Votes }) {
  return label ? <LabelBadge label={label} /> : <Badge>{t.noLabel}</Badge>
}
