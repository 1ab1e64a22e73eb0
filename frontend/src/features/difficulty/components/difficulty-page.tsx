import { NothingYet } from '@/components/ui/nothing-yet'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { DifficultySummary } from '@/lib/api/served'
import { t } from '@/messages/difficulty'
import { useSummary } from '../api/get-difficulty'
import { ruleInUse } from '../state/categories'
import { CategoryBars } from './category-bars'
import styles from './difficulty-page.module.css'
import { EntropyCharts } from './entropy-charts'
import { ExampleList } from './example-list'
import { HonestNotice, PaperModels } from './honest-notice'
import { ModelTable } from './model-table'
import { RobustnessView } from './robustness-view'
import { RuleChooser } from './rule-chooser'

/** How hard models find the selected captions, by which rule, and how much that hangs on the models. */
export function DifficultyPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useSummary(project.slug)
  return (
    <Page isWide>
      <PageHeader title={t.difficulty} lead={t.lead} />
      {isPending && <Skeleton label={t.theDifficulty} rows={4} />}
      {error && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {data && <HonestNotice honesty={data.honesty} />}
      {data?.policy === null && (
        <>
          <NothingYet
            project={project}
            title={t.nothing}
            icon="search"
            forCurators={t.forCurators}
            forOthers={t.forOthers}
          />
          <PaperModels />
        </>
      )}
      {data?.policy && <Figures project={project} summary={data} />}
    </Page>
  )
}

function Figures({ project, summary }: { project: Project; summary: DifficultySummary }) {
  const rule = ruleInUse(summary)
  return (
    <div className={styles.sections}>
      {summary.is_mixed && <Notice>{t.mixed}</Notice>}
      <div className={styles.chosen}>
        {rule && <CategoryBars policy={rule} nModels={summary.n_models} />}
        <RuleChooser slug={project.slug} summary={summary} mayChange={project.role === 'curator'} />
      </div>
      <ExampleList slug={project.slug} />
      <div className={styles.halves}>
        <EntropyCharts rows={summary.entropy} />
      </div>
      <ModelTable panel={summary.panel} />
      <RobustnessView slug={project.slug} />
      <PaperModels />
    </div>
  )
}
