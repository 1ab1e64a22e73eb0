import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { ProgressBar } from '@/components/ui/progress-bar'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Project } from '@/lib/api/contract'
import type { CalibratedModel, Calibrations } from '@/lib/api/served'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/models'
import { isRunning, useModels } from '../api/get-calibrations'
import { reasonWords, stateLooks, usedInstead } from '../state/states'
import { HelperModels } from './helper-models'
import { ModelDetail } from './model-detail'
import { ModelFigures } from './model-figures'
import styles from './models.module.css'
import { StartDialog } from './start-dialog'

/** Each model with its threshold, whether that still holds, and the curve that it was read from. */
export function ModelsPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useModels(project.slug)
  const [isStarting, setStarting] = useState(false)
  const start = project.role === 'curator' && data && !isRunning(data) && (
    <Button variant="primary" icon="play" onPress={() => setStarting(true)}>
      {t.calibrate}
    </Button>
  )
  return (
    <Page isWide>
      <PageHeader title={t.title} lead={t.lead} actions={start} />
      {isPending && <Skeleton label={t.theModels} rows={4} />}
      {error && !data && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {data && <ModelsView slug={project.slug} data={data} />}
      {isStarting && data && (
        <StartDialog slug={project.slug} nOwnPairs={data.n_own_pairs} onClose={() => setStarting(false)} />
      )}
    </Page>
  )
}

function ModelsView({ slug, data }: { slug: string; data: Calibrations }) {
  const { models, helpers, honesty, run } = data
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = models.find(({ key }) => key === chosen) ?? models.find(({ versions }) => versions[0]) ?? models[0]
  const areCarried = models.length > 0 && models.every(({ is_carried: isCarried }) => isCarried)
  const voters = models.filter(({ is_in_panel: isInPanel }) => isInPanel)
  return (
    <div className={styles.sections}>
      {honesty.is_warning && (
        <Notice tone="bad">{t.drawings({ n: honesty.n_images - honesty.n_drawn, total: honesty.n_images })}</Notice>
      )}
      {run && <RunNews slug={slug} run={run} />}
      <div className={styles.columns}>
        <div className={styles.section}>
          <Table
            label={t.models}
            columns={columnsOf(areCarried)}
            rows={models}
            rowId={({ key }) => key}
            currentId={shown?.key}
            onRowAction={({ key }) => setChosen(key)}
          />
          {areCarried && <p className={styles.note}>{t.allOnDrawings}</p>}
          <ModelFigures models={models} />
          <HelperModels helpers={helpers} />
        </div>
        {shown && (
          <ModelDetail
            key={shown.key}
            slug={slug}
            model={shown}
            breaksTies={shown === voters.at(-1)}
            isChosen={shown.key === chosen}
          />
        )}
      </div>
    </div>
  )
}

function RunNews({ slug, run }: { slug: string; run: NonNullable<Calibrations['run']> }) {
  const isFailed = run.status === 'failed'
  if (!isFailed && !isRunning({ run })) return null
  return (
    <Notice tone={isFailed ? 'bad' : 'neutral'}>
      <p className={styles.news}>
        <strong>{isFailed ? t.failed : t.running}</strong> {isFailed ? reasonOf(run) : t.runningNote}
      </p>
      {!isFailed && run.total !== null && run.total > 0 && (
        <ProgressBar label={t.running} value={run.done} max={run.total} />
      )}
      <LinkButton to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
        {t.openRun}
      </LinkButton>
    </Notice>
  )
}

const reasonOf = ({ error }: NonNullable<Calibrations['run']>): string =>
  error ? inOurLanguage(error.code, error.params ?? null, error.message) : ''

/** What is true of all models stands once under the table. */
const columnsOf = (areCarried: boolean): readonly TableColumn<CalibratedModel>[] => [
  { id: 'model', title: t.model, isRowHeader: true, cell: (model) => <Name model={model} areCarried={areCarried} /> },
  {
    id: 'threshold',
    title: t.threshold,
    isNumber: true,
    onPhone: 'beside',
    cell: ({ figures }) => (figures ? formatDecimal(figures.threshold, 4) : '–'),
  },
  {
    id: 'f1',
    title: t.f1,
    isNumber: true,
    onPhone: 'under',
    cell: ({ figures }) => (figures ? formatDecimal(figures.f1, 3) : '–'),
  },
  {
    id: 'kept',
    title: t.keptShare,
    isNumber: true,
    onPhone: 'under',
    cell: ({ figures }) => (figures ? formatShare(figures.kept_share) : '–'),
  },
  { id: 'state', title: t.state, onPhone: 'under', cell: (model) => <State model={model} /> },
]

function Name({ model: of, areCarried }: { model: CalibratedModel; areCarried: boolean }) {
  const { model, is_carried: isCarried, is_in_panel: isInPanel } = of
  return (
    <span className={styles.name}>
      {model}
      {isCarried && !areCarried && <small className={styles.aside}>{t.trainedOnDrawings}</small>}
      {!isInPanel && <small className={styles.aside}>{t.extra}</small>}
    </span>
  )
}

function State({ model }: { model: CalibratedModel }) {
  const { word, tone } = stateLooks[model.state]
  return (
    <span className={styles.state}>
      <Badge tone={tone}>{word}</Badge>
      {model.state === 'stale' && (
        <small className={styles.aside}>
          {model.stale_reasons.map((reason) => reasonWords[reason]).join(' ')} {usedInstead(model)}
        </small>
      )}
    </span>
  )
}
