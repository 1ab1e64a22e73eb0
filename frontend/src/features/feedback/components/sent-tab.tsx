import { FilterChip } from '@/components/ui/filter-chip'
import { FilterSelect } from '@/components/ui/filter-select'
import type { RemarkCounts } from '@/lib/api/served'
import { templateName } from '@/lib/feedback/template-words'
import { useTemplates } from '@/lib/feedback/templates'
import { t } from '@/messages/remarks'
import { type RemarkFilter, useRemarkCounts } from '../api/remarks'
import { isEverything, states } from '../state/remark-filter'
import styles from './remarks.module.css'
import { ThreadList } from './thread-list'
import { stateWord } from './written-thread'

export interface SentTabProps {
  slug: string
  filter: RemarkFilter
  onFilter: (filter: RemarkFilter) => void
}

/** One inbox over all people, narrowed by state, person, author and template. */
export function SentTab({ slug, filter, onFilter }: SentTabProps) {
  const counts = useRemarkCounts(slug).data
  const setFilter = (changed: Partial<RemarkFilter>) => onFilter({ ...filter, ...changed })
  return (
    <ThreadList slug={slug} filter={filter} isFiltered={!isEverything(filter)}>
      <StateFilter counts={counts} state={filter.state} onState={(state) => setFilter({ state })} />
      <div className={styles.filters}>
        <PersonFilter
          label={t.annotatorFilter}
          people={counts?.annotators ?? []}
          chosen={filter.annotator}
          onChoose={(annotator) => setFilter({ annotator })}
        />
        <PersonFilter
          label={t.authorFilter}
          people={counts?.authors ?? []}
          chosen={filter.author}
          onChoose={(author) => setFilter({ author })}
        />
        <TemplateFilter slug={slug} chosen={filter.template} onChoose={(template) => setFilter({ template })} />
      </div>
    </ThreadList>
  )
}

interface StateFilterProps {
  counts: RemarkCounts | undefined
  state: RemarkFilter['state']
  onState: (state: RemarkFilter['state']) => void
}

/** Each state with its count: what needs a reply comes first. */
function StateFilter({ counts, state, onState }: StateFilterProps) {
  const total = counts && states.reduce((sum, each) => sum + counts.states[each], 0)
  const entries = [
    { id: 'all' as const, word: t.all, n: total },
    { id: 'waiting' as const, word: t.awaiting, n: counts?.n_waiting },
    ...states.map((id) => ({ id, word: stateWord(id), n: counts?.states[id] })),
  ]
  return (
    <div className={styles.deeds} role="group" aria-label={t.state}>
      {entries.map(({ id, word, n }) => (
        <FilterChip key={id} isOn={id === state} n={n} onPress={() => onState(id)}>
          {word}
        </FilterChip>
      ))}
    </div>
  )
}

interface PersonFilterProps {
  label: string
  people: readonly { id: number; name: string }[]
  chosen: number | null
  onChoose: (id: number | null) => void
}

function PersonFilter({ label, people, chosen, onChoose }: PersonFilterProps) {
  const choices = [
    { value: '', label: t.anyone },
    ...people.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <FilterSelect
      label={label}
      all=""
      choices={choices}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) => onChoose(value === '' ? null : Number(value))}
    />
  )
}

interface TemplateFilterProps {
  slug: string
  chosen: number | null
  onChoose: (id: number | null) => void
}

function TemplateFilter({ slug, chosen, onChoose }: TemplateFilterProps) {
  const templates = useTemplates(slug).data ?? []
  const choices = [
    { value: '', label: t.anyTemplate },
    ...templates.map((each) => ({ value: String(each.id), label: templateName(each) })),
  ]
  return (
    <FilterSelect
      label={t.template}
      all=""
      choices={choices}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) => onChoose(value === '' ? null : Number(value))}
    />
  )
}
