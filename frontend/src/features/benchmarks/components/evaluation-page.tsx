import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { KeyFigures } from '@/components/ui/key-figures'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/benchmarks'
import { useDeleteEvaluation, useEvaluation } from '../api/get-benchmarks'
import type { Evaluation } from '../api/shapes'
import { directionName, formatMetric, intervalOf, metricName } from '../state/metrics'
import styles from './benchmarks.module.css'
import { EvaluationCharts } from './evaluation-charts'
import { QueryList } from './query-list'

/** Everything that is known of one model on one release. */
export function EvaluationPage({ project, evaluationId }: { project: Project; evaluationId: string }) {
  const { slug } = project
  const { data, error, isPending, refetch } = useEvaluation(evaluationId)
  return (
    <Page isWide>
      <Link
        to="/projects/$slug/benchmarks"
        params={{ slug }}
        search={data ? { release: data.release.id, task: data.task } : {}}
        className={styles.back}
      >
        {t.backToList}
      </Link>
      {isPending && <Skeleton label={t.theModel} rows={6} />}
      {error && <ErrorState error={error} title={t.modelNotShown} isPage onRetry={() => void refetch()} />}
      {data && (
        <>
          <PageHeader
            title={data.model}
            lead={<Lead evaluation={data} />}
            actions={
              <>
                <LinkButton
                  to="/projects/$slug/benchmarks/compare"
                  params={{ slug }}
                  search={{ release: data.release.id, task: data.task, a: data.id }}
                >
                  {t.compareTwo}
                </LinkButton>
                {project.role === 'curator' && <Delete slug={slug} evaluation={data} />}
              </>
            }
          />
          <EvaluationView evaluation={data} />
        </>
      )}
    </Page>
  )
}

function Lead({ evaluation: { release, created_at: at, source, is_of_release: isOfRelease } }: { evaluation: Evaluation }) {
  return (
    <span className={styles.name}>
      <span>
        <Sentence of={t.measuredOn} parts={{ label: release.label, when: <RelativeTime at={at} /> }} />
      </span>
      {source === 'import' && <Badge>{t.imported}</Badge>}
      {!isOfRelease && <Badge tone="warning">{t.otherData}</Badge>}
    </span>
  )
}

function EvaluationView({ evaluation }: { evaluation: Evaluation }) {
  return (
    <div className={styles.sections}>
      <Notes notes={[!evaluation.is_of_release && t.otherDataNote, evaluation.note !== '' && evaluation.note]} />
      {evaluation.not_run && (
        <Notice tone="bad">{t.notRunBecause({ model: evaluation.model, reason: evaluation.not_run })}</Notice>
      )}
      <Headline evaluation={evaluation} />
      <EvaluationCharts evaluation={evaluation} />
      {evaluation.task !== 'auprc' && !evaluation.not_run && (
        <section aria-labelledby="queries">
          <h2 id="queries" className={styles.title}>
            {t.queries}
          </h2>
          <QueryList evaluation={evaluation} />
        </section>
      )}
      <Made evaluation={evaluation} />
    </div>
  )
}

const headline = ['hit@1', 'hit@10', 'ndcg', 'auprc', 'above_chance', 'prevalence']

/** The figures that people look for first, in both directions. */
function Headline({ evaluation: { result } }: { evaluation: Evaluation }) {
  const figures = Object.entries(result.metrics).flatMap(([direction, of]) =>
    headline.flatMap((name) => (of[name] ? [{ direction, name, figure: of[name] }] : [])),
  )
  return (
    <KeyFigures
      figures={figures.map(({ direction, name, figure }) => ({
        name: t.leaderOf({ metric: metricName(name), direction: directionName(direction) }),
        value: figure.value === null ? '–' : formatMetric(name, figure.value),
        detail: intervalOf(name, figure),
      }))}
    />
  )
}

const isTied = (value: unknown): value is { share: number | null; tied_queries: number } =>
  typeof value === 'object' && value !== null && 'tied_queries' in value

/** What stands in the facts by a name of its own. */
const said: readonly string[] = ['name', 'kind', 'digest']

function Made({ evaluation: { result, kind, digest, created_by: by, files } }: { evaluation: Evaluation }) {
  const { data, ties, dropped } = result
  return (
    <section className={styles.sections}>
      <div className={styles.files}>
        {files.map(({ name, url }) => (
          <DownloadLink key={name} href={url}>
            {name}
          </DownloadLink>
        ))}
      </div>
      <Disclosure summary={t.howMade}>
        <Facts
          facts={[
            { name: t.kind, value: kind },
            { name: t.by, value: by },
            { name: t.images, value: formatCount(data.images) },
            { name: t.texts, value: formatCount(data.texts) },
            { name: t.rightPairs, value: formatCount(data.pairs) },
            ...Object.entries(ties).flatMap(([direction, of]) =>
              isTied(of)
                ? [
                    {
                      name: t.tiedQueries({ direction: directionName(direction) }),
                      value: `${formatCount(of.tied_queries)}${of.share === null ? '' : ` (${formatShare(of.share)})`}`,
                    },
                  ]
                : [],
            ),
            ...Object.entries(dropped).map(([direction, { n }]) => ({
              name: t.left({ direction: directionName(direction) }),
              value: formatCount(n),
            })),
            ...Object.entries(result.model)
              .filter(([name, value]) => !said.includes(name) && /string|number|boolean/.test(typeof value))
              .map(([name, value]) => ({ name, value: String(value) })),
            { name: t.digestOfModel, value: digest && <Digest value={digest} what={t.modelDigest} /> },
            { name: t.digestOfData, value: <Digest value={data.digest} what={t.dataDigest} /> },
            ...[...Object.entries(result.settings), ...Object.entries(result.versions)]
              .filter(([, value]) => value !== null && value !== '')
              .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) })),
          ]}
        />
      </Disclosure>
    </section>
  )
}

function Delete({ slug, evaluation: { id, release, task } }: { slug: string; evaluation: Evaluation }) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useDeleteEvaluation(slug)
  const leave = () =>
    void navigate({ to: '/projects/$slug/benchmarks', params: { slug }, search: { release: release.id, task } })
  return (
    <>
      <Button onPress={() => setAsking(true)}>{t.delete}</Button>
      <ConfirmDialog
        title={t.deleteQuestion}
        verb={t.delete}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(id, { onSuccess: leave })}
        onClose={() => setAsking(false)}
      >
        {t.deleteConsequence}
      </ConfirmDialog>
    </>
  )
}
