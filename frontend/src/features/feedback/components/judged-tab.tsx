import { useRef, useState } from 'react'
import { FeedbackComposer } from '@/components/feedback-composer/feedback-composer'
import { ActionButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { useLabelLooks } from '@/components/ui/label-looks'
import { MoreButton } from '@/components/ui/more-button'
import { Note } from '@/components/ui/remark-words'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Label, Project } from '@/lib/api/contract'
import type { Judged } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { t } from '@/messages/remarks'
import { remarkActions } from '../actions'
import { useJudged } from '../api/get-judged'
import { isNarrowed, type JudgedFilter, labels } from '../state/judged-filter'
import { JudgedRow } from './judged-row'
import styles from './remarks.module.css'

export interface JudgedTabProps {
  project: Project
  annotator: number
  filter: JudgedFilter
  onFilter: (filter: JudgedFilter) => void
}

/** What one person judged, newest first, narrowed to what is worth reading. */
export function JudgedTab({ project, annotator, filter, onFilter }: JudgedTabProps) {
  const { data, error, isPending, refetch, ...pages } = useJudged(project.slug, annotator, filter)
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label={t.judged}>
      <Filters filter={filter} onFilter={onFilter} />
      {isPending && <Skeleton label={t.judgments} rows={6} />}
      {error && <ErrorState error={error} title={t.judgmentsNotShown} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <NoRows isFiltered={isNarrowed(filter)} />}
      {rows.length > 0 && <Rows key={JSON.stringify(filter)} project={project} annotator={annotator} rows={rows} />}
      <MoreButton {...pages}>{t.moreJudgments}</MoreButton>
    </section>
  )
}

function Filters({ filter, onFilter }: Pick<JudgedTabProps, 'filter' | 'onFilter'>) {
  const looks = useLabelLooks()
  const choices: readonly { value: Label | 'all'; label: string }[] = [
    { value: 'all', label: t.anyLabel },
    ...labels.map((label) => ({ value: label, label: looks[label].word })),
  ]
  return (
    <div className={styles.filters}>
      <Select
        label={t.label}
        choices={choices}
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

interface RowsProps {
  project: Project
  annotator: number
  rows: readonly Judged[]
}

/** Which answers are ticked: some, or the last ones, of which the server leaves some out. */
type Ticked = { last: number } | { ids: readonly number[] }

const nothingTicked: Ticked = { ids: [] }
const nLast = 20

/** Rows to go through, to write about one by one, or to tick for one message about several. */
function Rows({ project, annotator, rows }: RowsProps) {
  const list = useRef<HTMLOListElement>(null)
  const { active, move, goTo } = useActiveRow({ list, ids: rows.map(({ id }) => id) })
  const [writing, setWriting] = useState<number | null>(null)
  const [ticked, setTicked] = useState<Ticked>(nothingTicked)
  const [isComposing, setComposing] = useState(false)
  const current = rows[active]
  const last = rows.slice(0, nLast).filter(({ is_control }) => !is_control)
  const ids = 'last' in ticked ? last.map(({ id }) => id) : ticked.ids
  const tick = (id: number) => setTicked({ ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id] })
  useActions(remarkActions, {
    'judged.next': () => move(1),
    'judged.previous': () => move(-1),
    'judged.tick': { when: () => current?.is_control === false, perform: () => current && tick(current.id) },
    'judged.last': () => setTicked({ last: nLast }),
    'remark.write': { when: () => current?.is_control === false, perform: () => setWriting(current?.id ?? null) },
  })
  const clear = () => {
    setTicked(nothingTicked)
    setComposing(false)
  }
  const close = (index: number) => {
    setWriting(null)
    goTo(index)
  }
  return (
    <>
      <div className={styles.deeds}>
        <ActionButton id="judged.last" size="small" showsKey />
      </div>
      <ol ref={list} className={styles.rows}>
        {rows.map((row, index) => (
          <JudgedRow
            key={row.id}
            project={project}
            row={row}
            index={index}
            isActive={index === active}
            isTicked={ids.includes(row.id)}
            isWriting={writing === row.id}
            onTick={() => tick(row.id)}
            onWrite={() => setWriting(row.id)}
            onClose={() => close(index)}
          />
        ))}
      </ol>
      {ids.length > 0 && !isComposing && (
        <div className={styles.several} role="status">
          <span>{t.selected({ n: ids.length })}</span>
          <Button size="small" variant="primary" onPress={() => setComposing(true)}>
            {t.writeOne}
          </Button>
          <Button size="small" variant="quiet" onPress={clear}>
            {t.clearSelection}
          </Button>
        </div>
      )}
      {ids.length > 0 && isComposing && (
        <div className={styles.several}>
          <FeedbackComposer
            slug={project.slug}
            name={rows[0]?.annotator.name ?? ''}
            about={'last' in ticked ? { annotator, last: ticked.last } : { annotator, judgments: ids }}
            isCurator={project.role === 'curator'}
            onSent={clear}
            onClose={() => setComposing(false)}
          />
        </div>
      )}
    </>
  )
}
