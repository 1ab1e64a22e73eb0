import { useRef, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { cx } from '@/components/ui/cx'
import { FilterChip } from '@/components/ui/filter-chip'
import { MoreButton } from '@/components/ui/more-button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { ControlSupply } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { useKeptFocus } from '@/lib/layout/use-kept-focus'
import { t } from '@/messages/quality'
import { controlActions } from '../actions'
import { useControls, useSupply } from '../api/controls'
import { type ControlState, controlStates } from '../state/control-filter'
import { warningInWords } from '../state/quality-words'
import { AddControlDialog } from './add-control-dialog'
import { ControlRow } from './control-row'
import styles from './controls-tab.module.css'
import { ImportControlsDialog } from './import-controls-dialog'
import page from './quality-page.module.css'

const filterNames: Record<ControlState, string> = {
  active: t.inUse,
  quarantined: t.quarantined,
  retired: t.retired,
}
export interface ControlsTabProps {
  project: Project
  filter: ControlState | null
  onFilter: (filter: ControlState | null) => void
}

/** Pairs of known answer, hidden among the others: how long they last, and what people made of each. */
export function ControlsTab({ project, filter, onFilter }: ControlsTabProps) {
  const { slug } = project
  const mayCurate = project.role === 'curator'
  const [dialog, setDialog] = useState<'add' | 'import' | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const keepsFocus = useKeptFocus(list)
  const { data, error, isPending, refetch, ...pages } = useControls(slug, filter ?? '')
  useActions(controlActions, {
    'control.add': { when: () => mayCurate, perform: () => setDialog('add') },
    'control.import': { when: () => mayCurate, perform: () => setDialog('import') },
  })
  const controls = data?.pages.flatMap((each) => each.results) ?? []
  const close = () => setDialog(null)
  return (
    <section className={page.section} aria-label={t.controls}>
      <Supply slug={slug} />
      <div className={page.chips}>
        <span className={page.chips} role="group" aria-label={t.which}>
          <FilterChip isOn={filter === null} onPress={() => onFilter(null)}>
            {t.allControls}
          </FilterChip>
          {controlStates.map((each) => (
            <FilterChip key={each} isOn={filter === each} onPress={() => onFilter(filter === each ? null : each)}>
              {filterNames[each]}
            </FilterChip>
          ))}
        </span>
        {mayCurate && (
          <span className={cx(page.chips, page.end)}>
            <ActionButton id="control.import" icon="upload" preventFocusOnPress={false} />
            <ActionButton id="control.add" variant="primary" icon="plus" showsKey preventFocusOnPress={false} />
          </span>
        )}
      </div>
      {isPending && <Skeleton label={t.theControls} rows={4} />}
      {error && <ErrorState error={error} title={t.controlsNotListed} onRetry={() => void refetch()} />}
      {data && controls.length === 0 && <NoControls isFiltered={filter !== null} />}
      <ul ref={list} className={styles.list} {...keepsFocus}>
        {controls.map((control) => (
          <ControlRow key={control.id} slug={slug} control={control} mayCurate={mayCurate} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.moreControls}</MoreButton>
      {dialog === 'add' && <AddControlDialog project={project} onClose={close} />}
      {dialog === 'import' && <ImportControlsDialog slug={slug} onClose={close} />}
    </section>
  )
}

function NoControls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className={page.note}>{t.noControlInState}</p>
  return (
    <EmptyState title={t.noControls} icon="check">
      {t.controlsExplained}
    </EmptyState>
  )
}

/** How long the hidden ones last, said before it matters. */
function Supply({ slug }: { slug: string }) {
  const { data } = useSupply(slug)
  if (!data) return null
  const warning = warningInWords(data)
  return (
    <>
      <p className={page.about}>
        {supplyInWords(data)}
        {data.hits_per_control > 1 && ` ${t.comesOften({ hits: formatCount(Math.round(data.hits_per_control)) })}`}
      </p>
      {warning && <Notice tone="bad">{warning}</Notice>}
    </>
  )
}

function supplyInWords(supply: ControlSupply): string {
  const rest = [
    supply.n_quarantined > 0 && t.nQuarantined({ nQuarantined: formatCount(supply.n_quarantined) }),
    supply.n_retired > 0 && t.nRetired({ nRetired: formatCount(supply.n_retired) }),
  ].filter((part) => part !== false)
  const others = rest.length > 0 ? `; ${rest.join(', ')}` : ''
  return t.hiddenInUse({
    n: supply.n_active,
    rate: formatShare(supply.rate),
    quiz: t.quizItems({ n: supply.n_quiz }),
    others,
  })
}
