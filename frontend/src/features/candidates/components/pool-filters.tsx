import { type RefObject, useEffect, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import fields from '@/components/ui/field.module.css'
import { FilterSelect } from '@/components/ui/filter-select'
import type { Choice } from '@/components/ui/select'
import type { PoolSummary, SourceCounts } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import { isNarrowed, type PoolFilter, sorts, statuses, without } from '../state/pool-filter'
import { ruleName } from '../state/rule-words'
import { kindName } from '../state/suggestions'
import styles from './pool-page.module.css'

export interface PoolFiltersProps {
  filter: PoolFilter
  /** What there is to choose among, and how many of each. */
  summary: PoolSummary | undefined
  search: RefObject<HTMLInputElement | null>
  onChange: (filter: PoolFilter) => void
}

const statusNames = { kept: t.kept, dropped: t.dropped, new: t.notCleanedYet } as const
const sortNames = {
  similarity: t.mostSimilar,
  rank: t.byRank,
  source: t.bySource,
  generic: t.mostGeneric,
  newest: t.newest,
  oldest: t.oldest,
} as const
const statusName = (status: string): string => statusNames[status as keyof typeof statusNames]
const all = ''

/** What a panel of models says, beside the flags of cleaning. */
const fitsMany = 'fits_many'

type Counted = readonly (readonly [value: string, count: number])[]

/** Counts of all sources together, the largest first. */
function summed(
  sources: readonly SourceCounts[],
  of: (source: SourceCounts) => Readonly<Record<string, number>>,
): Counted {
  const total = new Map<string, number>()
  for (const source of sources) {
    for (const [name, count] of Object.entries(of(source))) total.set(name, (total.get(name) ?? 0) + count)
  }
  return [...total].sort(([, a], [, b]) => b - a)
}

/** What there is to choose among, and how many of each. */
function countsOf({ sources, suggests, n_generic }: PoolSummary) {
  const byStatus = statuses.map(
    (status) => [status, sources.reduce((sum, one) => sum + one[`n_${status}`], 0)] as const,
  )
  const flags = summed(sources, (one) => one.flags)
  return {
    byStatus: byStatus.filter(([, count]) => count > 0),
    bySource: sources.map((one) => [one.source, one.n_candidates] as const),
    rules: summed(sources, (one) => one.dropped),
    flags: n_generic > 0 ? [...flags, [fitsMany, n_generic] as const] : flags,
    edits: Object.entries(suggests),
  }
}

/** "Any rule", then what there is of each; also what is chosen where there is none of it, or where nothing is counted yet. */
function choices(
  any: string,
  counted: Counted | undefined,
  chosen: string,
  nameOf: (value: string) => string,
): Choice<string>[] {
  const listed = (counted ?? []).map(([value, count]) => ({ value, label: `${nameOf(value)}, ${formatCount(count)}` }))
  const isMissing = chosen !== all && !listed.some(({ value }) => value === chosen)
  return [
    { value: all, label: any },
    ...listed,
    ...(isMissing ? [{ value: chosen, label: counted ? `${nameOf(chosen)}, 0` : nameOf(chosen) }] : []),
  ]
}

export function PoolFilters({ filter, summary, search, onChange }: PoolFiltersProps) {
  const set = (name: keyof PoolFilter) => (value: string) => {
    onChange(value === all ? without(filter, name) : { ...filter, [name]: value })
  }
  const counts = summary && countsOf(summary)
  const flag = filter.generic ? fitsMany : (filter.flag ?? all)
  return (
    <search className={styles.filters} aria-label={t.captions}>
      <WordSearch text={filter.text ?? ''} input={search} onChange={set('text')} />
      <FilterSelect
        isShort
        label={t.status}
        all={all}
        choices={choices(t.anyStatus, counts?.byStatus, filter.status ?? all, statusName)}
        value={filter.status ?? all}
        onChange={set('status')}
      />
      <FilterSelect
        isShort
        label={t.source}
        all={all}
        choices={choices(t.anySource, counts?.bySource, filter.source ?? all, sourceName)}
        value={filter.source ?? all}
        onChange={set('source')}
      />
      <FilterSelect
        isShort
        label={t.droppedBy}
        all={all}
        choices={choices(t.anyRule, counts?.rules, filter.rule ?? all, ruleName)}
        value={filter.rule ?? all}
        onChange={set('rule')}
      />
      {(Boolean(counts?.flags.length) || flag !== all) && (
        <FilterSelect
          isShort
          label={t.flag}
          all={all}
          choices={choices(t.anyFlag, counts?.flags, flag, ruleName)}
          value={flag}
          onChange={(value) => onChange(withFlag(filter, value))}
        />
      )}
      {(Boolean(counts?.edits.length) || filter.suggests !== undefined) && (
        <FilterSelect
          isShort
          label={t.suggestedEdit}
          all={all}
          choices={choices(t.anyOrNone, counts?.edits, filter.suggests ?? all, kindName)}
          value={filter.suggests ?? all}
          onChange={set('suggests')}
        />
      )}
      <FilterSelect
        isShort
        label={t.order}
        choices={sorts.map((sort) => ({ value: sort, label: sortNames[sort] }))}
        value={filter.sort ?? 'oldest'}
        onChange={set('sort')}
      />
      {isNarrowed(filter) && (
        <Button size="small" variant="quiet" icon="cross" onPress={() => onChange(withoutNarrowing(filter))}>
          {t.showAll}
        </Button>
      )}
    </search>
  )
}

function withFlag(filter: PoolFilter, value: string): PoolFilter {
  const bare = without(without(filter, 'flag'), 'generic')
  if (value === all) return bare
  return value === fitsMany ? { ...bare, generic: 'flagged' } : { ...bare, flag: value }
}

const withoutNarrowing = ({ sort }: PoolFilter): PoolFilter => (sort ? { sort } : {})

const patienceMs = 250

interface WordSearchProps {
  text: string
  input: RefObject<HTMLInputElement | null>
  onChange: (text: string) => void
}

/** What is typed is looked for once the typing rests. */
function WordSearch({ text, input, onChange }: WordSearchProps) {
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  if (known !== text) {
    // The address changed from elsewhere, by a link or the back button.
    setKnown(text)
    setTyped(text)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => onChange(typed), patienceMs)
    return () => clearTimeout(timer)
  })
  const leave = () => input.current?.blur()
  return (
    <SearchField
      className={styles.find}
      aria-label={t.findWords}
      value={typed}
      onChange={setTyped}
      onSubmit={leave}
      aria-keyshortcuts="/"
    >
      <Input ref={input} className={cx(fields.input, styles.words)} placeholder={t.findWords} maxLength={200} />
    </SearchField>
  )
}
