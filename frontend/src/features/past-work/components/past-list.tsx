import { Link } from '@tanstack/react-router'
import { LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { EditedCaption } from '@/components/ui/edited-caption'
import { Icon } from '@/components/ui/icon'
import { useLabelLooks } from '@/components/ui/label-looks'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Label, Thumbnail } from '@/lib/api/contract'
import type { PastHit, PastItem } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/past-work'
import { isNarrowed, type PastFilter } from '../state/past-filter'
import styles from './past-list.module.css'
import { countOf } from './sent-words'

export interface PastListProps {
  slug: string
  hits: readonly PastHit[]
  filter: PastFilter
  /** The task that is open beside the list; undefined where a task has a page of its own. */
  openId: string | undefined
}

/** The submitted tasks, newest first: a line for each beside the open one, else with every answer. */
export function PastList({ slug, hits, filter, openId }: PastListProps) {
  const isBeside = openId !== undefined
  return (
    <ol className={isBeside ? styles.lines : styles.list}>
      {hits.map((hit) =>
        isBeside ? (
          <Line key={hit.id} slug={slug} hit={hit} filter={filter} isOpen={hit.id === openId} />
        ) : (
          <PastRow key={hit.id} slug={slug} hit={hit} at={isNarrowed(filter) ? hit.items[0]?.position : undefined} />
        ),
      )}
    </ol>
  )
}

interface LineProps {
  slug: string
  hit: PastHit
  filter: PastFilter
  isOpen: boolean
}

function Line({ slug, hit, filter, isOpen }: LineProps) {
  const [first] = hit.items
  const picture = hit.image ?? first?.image
  return (
    <li className={cx(styles.line, isOpen && styles.open)}>
      {picture && <Small of={picture.thumbnail.small} alt="" />}
      <div className={styles.words}>
        <p className={styles.when}>
          <Link
            to="/projects/$slug/past-work"
            params={{ slug }}
            search={{ ...filter, task: hit.id }}
            replace
            resetScroll={false}
            aria-current={isOpen || undefined}
            className={styles.choose}
          >
            {hit.query?.text ?? countOf(hit)} <SentAt hit={hit} />
          </Link>
          <RelativeTime at={sentAt(hit)} />
        </p>
        {first?.text && (
          <p className={styles.first} lang="en" dir="auto">
            {first.text}
          </p>
        )}
        <p className={styles.counts}>
          <LabelCounts items={hit.items} />
          {hit.query && hit.items.length < hit.n_items && <span>{countOf(hit)}</span>}
          {hit.status === 'late' && <span>{t.late}</span>}
        </p>
      </div>
    </li>
  )
}

const labels: readonly Label[] = ['good', 'bad', 'unsure']

/** How often each label was given in the task, by sign, figure and word. */
function LabelCounts({ items }: { items: readonly PastItem[] }) {
  const looks = useLabelLooks()
  return labels.map((label) => {
    const n = items.filter((item) => item.label === label).length
    if (n === 0) return null
    return (
      <span key={label} className={cx(styles.label, styles[label])}>
        <Icon name={looks[label].icon} size={14} strokeWidth={2.2} /> {n}{' '}
        <span className="visually-hidden">{looks[label].word}</span>
      </span>
    )
  })
}

/** `at` is the item that the task opens at. */
function PastRow({ slug, hit, at }: { slug: string; hit: PastHit; at: number | undefined }) {
  return (
    <li className={styles.row}>
      {hit.image && <Small of={hit.image.thumbnail.small} alt={t.photograph} />}
      <div className={styles.words}>
        <p className={styles.when}>
          <Link
            to="/projects/$slug/past-work/$assignmentId"
            params={{ slug, assignmentId: hit.id }}
            search={at === undefined ? {} : { at }}
            className={styles.title}
          >
            {hit.query?.text ?? countOf(hit)} <SentAt hit={hit} />
          </Link>
          {hit.query && hit.items.length < hit.n_items && <span>{countOf(hit)}</span>}
          <RelativeTime at={sentAt(hit)} />
          {hit.status === 'late' && <span>{t.late}</span>}
        </p>
        <ol className={hit.query ? styles.pictures : styles.captions}>
          {hit.items.map((item) => (
            <SmallItem key={item.position} item={item} />
          ))}
        </ol>
      </div>
    </li>
  )
}

const sentAt = (hit: PastHit): string => hit.submitted_at ?? hit.expires_at

const SentAt = ({ hit }: { hit: PastHit }) => (
  <span className="visually-hidden">{t.sentAt({ when: absoluteTime(new Date(sentAt(hit))) })}</span>
)

function SmallItem({ item }: { item: PastItem }) {
  return (
    <li className={styles.item}>
      {item.label && <LabelBadge label={item.label} />}
      {item.image && <Small of={item.image.thumbnail.small} alt={t.judgedPicture} />}
      {item.text !== null && (
        <span className={styles.text} lang="en" dir="auto">
          <EditedCaption text={item.text} edits={item.edits} />
        </span>
      )}
    </li>
  )
}

function Small({ of: { url, width, height }, alt }: { of: Thumbnail; alt: string }) {
  return <img className={styles.picture} src={url} alt={alt} width={width} height={height} loading="lazy" />
}
