import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge, LabelBadge, labelLooks } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { DownloadLink } from '@/components/ui/download-link'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import { formatDecimal } from '@/lib/format/numbers'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/review'
import { reviewKey } from '../api/cases'
import { sendDecisions } from '../api/decide'
import { disputesFile, useDisputes } from '../api/disputes'
import { type Dispute, disputeKinds, disputeOrders } from '../api/shapes'
import { disputeOrderWords, disputeWords } from '../state/case-words'
import type { ReviewSearch } from '../state/search'
import { labels } from '../state/votes'
import styles from './disputes.module.css'
import { Pick } from './queue-filters'
import type { Change } from './queue-view'
import { VoteBar } from './vote-bar'

export interface DisputesViewProps {
  slug: string
  search: ReviewSearch
  onSearch: Change
}

const mostMore = 5
const mostAtOnce = 200

/** Captions on which people, the result or a decision differ, for one decision on many of them. */
export function DisputesView({ slug, search, onSearch }: DisputesViewProps) {
  const filter = { kind: search.dispute, order: search.sort ?? 'entropy' } as const
  const list = useDisputes(slug, filter)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const rows = list.data?.pages.flatMap((page) => page.results) ?? []
  const there = rows.filter((row) => chosen.has(row.candidate))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const decidable = rows.filter((row) => row.case !== null)
  const isAll = decidable.length > 0 && decidable.every((row) => chosen.has(row.candidate))
  return (
    <section className={styles.view} aria-label={t.disputes}>
      <div className={styles.bar}>
        <div className={styles.kinds} role="group" aria-label={t.filters}>
          {[undefined, ...disputeKinds].map((kind) => (
            <button
              key={kind ?? 'any'}
              type="button"
              className={cx(styles.kind, search.dispute === kind && styles.on)}
              aria-pressed={search.dispute === kind}
              onClick={() => onSearch({ dispute: kind })}
            >
              {kind ? disputeWords[kind] : t.anyDispute}
            </button>
          ))}
        </div>
        <div className={styles.tools}>
          <Pick
            label={t.order}
            value={filter.order}
            choices={disputeOrders.map((order) => [order, disputeOrderWords[order]] as const)}
            onPick={(sort) => onSearch({ sort })}
          />
          <DownloadLink href={disputesFile(slug, filter)}>{t.exportCsv}</DownloadLink>
        </div>
      </div>
      {list.isPending && <Skeleton label={t.disputes} rows={8} />}
      {list.error && <ErrorState error={list.error} title={t.disputesNotShown} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <EmptyState title={t.noDisputes} icon="check">
          {t.noDisputesWords}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={styles.scroller}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>
                  <input
                    type="checkbox"
                    aria-label={t.selectAll}
                    checked={isAll}
                    onChange={() => setChosen(new Set(isAll ? [] : decidable.map((row) => row.candidate)))}
                  />
                </th>
                <th colSpan={2}>{t.caption}</th>
                <th>{t.votes}</th>
                <th className={styles.number} title={t.entropyHow}>
                  {t.entropy}
                </th>
                <th>{t.resultIs}</th>
                <th>{t.decisionIs}</th>
                <th>{t.kind}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.candidate}
                  row={row}
                  isChosen={chosen.has(row.candidate)}
                  onToggle={() => toggle(row.candidate)}
                  onOpen={() => row.case !== null && onSearch({ view: undefined, case: row.case })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }}>{t.moreDisputes}</MoreButton>
      {there.length > 0 && <BulkBar slug={slug} rows={there} onDone={() => setChosen(new Set())} />}
    </section>
  )
}

interface RowProps {
  row: Dispute
  isChosen: boolean
  onToggle: () => void
  onOpen: () => void
}

function Row({ row, isChosen, onToggle, onOpen }: RowProps) {
  const { text, query, image, votes, entropy, consensus, verdict, kinds, case: id } = row
  const words = query ?? text
  return (
    <tr className={cx(styles.row, isChosen && styles.chosen)}>
      <td>
        <input
          type="checkbox"
          aria-label={t.select({ text: words })}
          checked={isChosen}
          disabled={id === null}
          onChange={onToggle}
        />
      </td>
      <td className={styles.picture}>
        <img src={image.thumbnail.small.url} alt="" width={36} height={28} loading="lazy" />
      </td>
      <td className={styles.text}>
        {id === null ? (
          <span title={t.noCase} dir="auto">
            {words}
          </span>
        ) : (
          <button type="button" className={styles.link} title={t.openCase} dir="auto" onClick={onOpen}>
            {words}
          </button>
        )}
      </td>
      <td>
        <VoteBar votes={votes} hasNumbers />
      </td>
      <td className={styles.number}>{formatDecimal(entropy, 2)}</td>
      <td>{consensus ? <LabelBadge label={consensus} /> : t.none}</td>
      <td>{verdict ? <LabelBadge label={verdict} /> : t.none}</td>
      <td className={styles.badges}>
        {kinds.map((kind) => (
          <Badge key={kind}>{disputeWords[kind]}</Badge>
        ))}
      </td>
    </tr>
  )
}

/** One decision on all that are selected. It says how many failed. */
function BulkBar({ slug, rows, onDone }: { slug: string; rows: readonly Dispute[]; onDone: () => void }) {
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [k, setK] = useState(1)
  const decide = async (body: { action: 'settle'; label: Label } | { action: 'ask_more'; k: number }) => {
    setSending(true)
    const cases = rows.flatMap(({ case: id }) => id ?? [])
    let nDone = 0
    try {
      for (let at = 0; at < cases.length; at += mostAtOnce) {
        const { n_done, refused } = await sendDecisions(slug, { ...body, cases: cases.slice(at, at + mostAtOnce) })
        nDone += n_done
        const [first] = refused
        if (first) {
          showToast(t.bulkFailed({ n: refused.length, why: say(first) }), 'bad')
        }
      }
    } catch (refusal) {
      showToast(t.bulkFailed({ n: cases.length - nDone, why: asApiError(refusal).message }), 'bad')
    }
    if (nDone > 0) showToast(t.bulkDone({ n: nDone }))
    setSending(false)
    onDone()
    await client.invalidateQueries({ queryKey: reviewKey(slug) })
  }
  return (
    <div className={styles.bulk} role="group" aria-label={t.selected({ n: rows.length })}>
      <b>{t.selected({ n: rows.length })}</b>
      <span>{t.decideAll}</span>
      {labels.map((label) => (
        <Button
          key={label}
          size="small"
          icon={labelLooks[label].icon}
          isPending={isSending}
          onPress={() => void decide({ action: 'settle', label })}
        >
          {labelLooks[label].word}
        </Button>
      ))}
      <span className={styles.more}>
        <select aria-label={t.howMany} value={k} onChange={(event) => setK(Number(event.target.value))}>
          {Array.from({ length: mostMore }, (_, at) => (
            <option key={at} value={at + 1}>
              {at + 1}
            </option>
          ))}
        </select>
        <Button size="small" isPending={isSending} onPress={() => void decide({ action: 'ask_more', k })}>
          {t.askMore}
        </Button>
      </span>
      <Button size="small" variant="quiet" onPress={onDone}>
        {t.clearSelection}
      </Button>
    </div>
  )
}
