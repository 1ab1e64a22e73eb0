import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { DownloadLink } from '@/components/ui/download-link'
import { FilterChip } from '@/components/ui/filter-chip'
import { useLabelLooks } from '@/components/ui/label-looks'
import { MoreButton } from '@/components/ui/more-button'
import { Pressable } from '@/components/ui/pressable'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import { showToast } from '@/components/ui/toast-store'
import { WhatComes, type WhatComesProps } from '@/components/ui/what-comes'
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
import { RowCheck } from './row-check'
import { VoteBar } from './vote-bar'

export interface DisputesViewProps {
  slug: string
  search: ReviewSearch
  onSearch: Change
}

const kindsToCome: WhatComesProps['things'] = [
  { icon: 'question', title: t.disputeTie, words: t.tieWhy },
  { icon: 'person', title: t.disputeVerdict, words: t.disputeVerdictWhy },
  { icon: 'alert', title: t.disputeResult, words: t.disputeResultWhy },
]

const mostMore = 5
const mostAtOnce = 200

/** Captions on which people, the result or a decision differ, for one decision on many of them. */
export function DisputesView({ slug, search, onSearch }: DisputesViewProps) {
  const filter = { kind: search.dispute, order: search.sort ?? 'entropy' } as const
  const list = useDisputes(slug, filter)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const rows = list.data?.pages.flatMap((page) => page.results) ?? []
  const isEmpty = list.data !== undefined && rows.length === 0 && !search.dispute
  const there = rows.filter((row) => chosen.has(row.candidate))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const decidable = rows.filter((row) => row.case !== null)
  const isAll = decidable.length > 0 && decidable.every((row) => chosen.has(row.candidate))
  const columns = columnsOf({
    chosen,
    onToggle: toggle,
    isAll,
    onAll: () => setChosen(new Set(isAll ? [] : decidable.map((row) => row.candidate))),
    onOpen: (id) => onSearch({ view: undefined, case: id }),
  })
  return (
    <section className={styles.view} aria-label={t.disputes}>
      {!isEmpty && (
        <div className={styles.bar}>
          <div className={styles.kinds} role="group" aria-label={t.filters}>
            {[undefined, ...disputeKinds].map((kind) => (
              <FilterChip
                key={kind ?? 'any'}
                isOn={search.dispute === kind}
                onPress={() => onSearch({ dispute: kind })}
              >
                {kind ? disputeWords[kind] : t.anyDispute}
              </FilterChip>
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
      )}
      {list.isPending && <Skeleton label={t.disputes} rows={8} />}
      {list.error && <ErrorState error={list.error} title={t.disputesNotShown} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && (
        <WhatComes
          title={search.dispute ? t.noDisputesOfKind : t.noDisputes}
          lead={t.noDisputesWords}
          things={kindsToCome}
          action={
            <Button variant="primary" onPress={() => onSearch({ view: 'queue' })}>
              {t.openQueue}
            </Button>
          }
        />
      )}
      {rows.length > 0 && (
        <Table<Dispute>
          label={t.disputes}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.candidate)}
          onRowAction={(row) => row.case !== null && onSearch({ view: undefined, case: row.case })}
          sort={{ column: filter.order, isDescending: true }}
          onSort={({ column }) => onSearch({ sort: column })}
        />
      )}
      <MoreButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }}>{t.moreDisputes}</MoreButton>
      {there.length > 0 && <BulkBar slug={slug} rows={there} onDone={() => setChosen(new Set())} />}
    </section>
  )
}

interface Choosing {
  chosen: ReadonlySet<number>
  onToggle: (id: number) => void
  isAll: boolean
  onAll: () => void
  onOpen: (id: number) => void
}

function columnsOf({ chosen, onToggle, isAll, onAll, onOpen }: Choosing): readonly TableColumn<Dispute>[] {
  return [
    {
      id: 'chosen',
      title: t.selectAll,
      head: <RowCheck label={t.selectAll} isOn={isAll} onToggle={onAll} />,
      onPhone: 'beside',
      cell: ({ candidate, case: id, query, text }) => (
        <RowCheck
          label={t.select({ text: query ?? text })}
          isOn={chosen.has(candidate)}
          isDisabled={id === null}
          onToggle={() => onToggle(candidate)}
        />
      ),
    },
    {
      id: 'caption',
      title: t.caption,
      isRowHeader: true,
      cell: ({ query, text, image, case: id }) => (
        <span className={styles.caption}>
          <img src={image.thumbnail.small.url} alt="" width={36} height={28} loading="lazy" />
          {id === null ? (
            <span className={styles.text} title={t.noCase} dir="auto">
              {query ?? text}
            </span>
          ) : (
            <Pressable className={styles.link} title={t.openCase} dir="auto" onPress={() => onOpen(id)}>
              {query ?? text}
            </Pressable>
          )}
        </span>
      ),
    },
    {
      id: 'votes',
      title: t.votes,
      sorts: 'descending',
      onPhone: 'beside',
      cell: ({ votes }) => <VoteBar votes={votes} hasNumbers />,
    },
    {
      id: 'entropy',
      title: t.entropy,
      head: <span title={t.entropyHow}>{t.entropy}</span>,
      isNumber: true,
      sorts: 'descending',
      onPhone: 'under',
      cell: ({ entropy }) => formatDecimal(entropy, 2),
    },
    {
      id: 'result',
      title: t.resultIs,
      onPhone: 'under',
      cell: ({ consensus }) => (consensus ? <LabelBadge label={consensus} /> : t.none),
    },
    {
      id: 'decision',
      title: t.decisionIs,
      onPhone: 'under',
      cell: ({ verdict }) => (verdict ? <LabelBadge label={verdict} /> : t.none),
    },
    {
      id: 'kind',
      title: t.kind,
      onPhone: 'under',
      cell: ({ kinds }) => (
        <span className={styles.badges}>
          {kinds.map((kind) => (
            <Badge key={kind}>{disputeWords[kind]}</Badge>
          ))}
        </span>
      ),
    },
  ]
}

/** One decision on all that are selected. It says how many failed. */
function BulkBar({ slug, rows, onDone }: { slug: string; rows: readonly Dispute[]; onDone: () => void }) {
  const client = useQueryClient()
  const looks = useLabelLooks()
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
          icon={looks[label].icon}
          isPending={isSending}
          onPress={() => void decide({ action: 'settle', label })}
        >
          {looks[label].word}
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
