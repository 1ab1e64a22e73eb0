import { useRef, useState } from 'react'
import { labelLooks } from '@/components/ui/badge'
import { CheckField } from '@/components/ui/check-field'
import { MoreButton } from '@/components/ui/more-button'
import { Note } from '@/components/ui/remark-words'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Label } from '@/lib/api/contract'
import type { Judged } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { t } from '@/messages/remarks'
import { remarkActions } from '../actions'
import { type JudgedFilter, useJudged } from '../api/get-judged'
import { JudgedRow } from './judged-row'
import styles from './remarks.module.css'
import { WriteDialog } from './write-dialog'

export const everything: JudgedFilter = { label: '', isDisagreeing: false, isCommented: false }

const labels: readonly Label[] = ['good', 'bad', 'unsure']
const labelChoices: readonly { value: Label | 'all'; label: string }[] = [
  { value: 'all', label: t.anyLabel },
  ...labels.map((label) => ({ value: label, label: labelLooks[label].word })),
]

/** What one person judged, newest first, narrowed to what is worth reading. */
export function JudgedTab({ slug, annotator }: { slug: string; annotator: number }) {
  const [filter, setFilter] = useState(everything)
  const { data, error, isPending, refetch, ...pages } = useJudged(slug, annotator, filter)
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label={t.judged}>
      <Filters filter={filter} onFilter={setFilter} />
      {isPending && <Skeleton label={t.judgments} rows={6} />}
      {error && <ErrorState error={error} title={t.judgmentsNotShown} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <NoRows isFiltered={filter !== everything} />}
      {rows.length > 0 && <Rows slug={slug} rows={rows} />}
      <MoreButton {...pages}>{t.moreJudgments}</MoreButton>
    </section>
  )
}

function Filters({ filter, onFilter }: { filter: JudgedFilter; onFilter: (filter: JudgedFilter) => void }) {
  return (
    <div className={styles.filters}>
      <Select
        label={t.label}
        choices={labelChoices}
        value={filter.label || 'all'}
        onChange={(label) => onFilter({ ...filter, label: label === 'all' ? '' : label })}
      />
      <CheckField
        label={t.outvoted}
        isSelected={filter.isDisagreeing}
        onChange={(isDisagreeing) => onFilter({ ...filter, isDisagreeing })}
      />
      <CheckField
        label={t.commented}
        isSelected={filter.isCommented}
        onChange={(isCommented) => onFilter({ ...filter, isCommented })}
      />
    </div>
  )
}

function NoRows({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Note>{t.noneFits}</Note>
  return <EmptyState title={t.noJudgments}>{t.noJudgmentsHint}</EmptyState>
}

function Rows({ slug, rows }: { slug: string; rows: readonly Judged[] }) {
  const list = useRef<HTMLOListElement>(null)
  const { active, move } = useActiveRow({ list, ids: rows.map(({ id }) => id) })
  const [writing, setWriting] = useState<Judged | null>(null)
  const current = rows[active]
  useActions(remarkActions, {
    'judged.next': () => move(1),
    'judged.previous': () => move(-1),
    'remark.write': { when: () => current?.is_control === false, perform: () => setWriting(current ?? null) },
  })
  return (
    <>
      <ol ref={list} className={styles.rows}>
        {rows.map((row, index) => (
          <JudgedRow key={row.id} row={row} index={index} isActive={index === active} onWrite={() => setWriting(row)} />
        ))}
      </ol>
      {writing && <WriteDialog slug={slug} judged={writing} onClose={() => setWriting(null)} />}
    </>
  )
}
