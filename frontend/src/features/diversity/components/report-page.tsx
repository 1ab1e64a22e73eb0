import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { DiversityBody, DiversityMeasure, DiversityReport, DiversitySummary } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/diversity'
import { isOver, useReport } from '../api/get-reports'
import { decimals, densitySpec, differenceOf, measureNames, namesOf, nOf, titleOf } from '../state/measures'
import { statusOf } from './diversity-page'
import styles from './diversity.module.css'

/** One report: a density of each measure, means with intervals, and how it was made. */
export function DiversityReportPage({ project, runId }: { project: Project; runId: string }) {
  const { data: run, error, isPending, refetch } = useReport(project.slug, runId)
  return (
    <Page isWide>
      <PageHeader
        title={run ? titleOf(run) : t.diversity}
        lead={run && <RelativeTime at={run.created_at} />}
        actions={
          <>
            {run?.files && <Files files={run.files} />}
            <LinkButton to="/projects/$slug/diversity" params={{ slug: project.slug }}>
              {t.allReports}
            </LinkButton>
          </>
        }
      />
      {isPending && <Skeleton label={t.theReport} rows={6} />}
      {error && !run && <ErrorState error={error} title={t.reportNotShown} onRetry={() => void refetch()} />}
      {run && !run.report && <NotFinished run={run} slug={project.slug} />}
      {run?.report && <ReportView report={run.report} />}
    </Page>
  )
}

function Files({ files }: { files: NonNullable<DiversityReport['files']> }) {
  return (
    <span className={styles.files}>
      {(['svg', 'csv', 'json'] as const).map((kind) => (
        <DownloadLink key={kind} href={files[kind]}>
          {kind.toUpperCase()}
        </DownloadLink>
      ))}
      <DownloadLink href={files.images}>{t.perImage}</DownloadLink>
    </span>
  )
}

function NotFinished({ run, slug }: { run: DiversityReport; slug: string }) {
  const params = { slug, runId: run.id }
  return (
    <>
      <Notice tone={isOver(run) ? 'bad' : 'neutral'}>
        <p>{isOver(run) ? t.stopped : t.notFinished}</p>
        <p>{run.error ? inOurLanguage(run.error.code, run.error.params ?? null, run.error.message) : statusOf(run)}</p>
      </Notice>
      <p>
        <LinkButton to="/projects/$slug/walk/runs/$runId" params={params}>
          {t.toRun}
        </LinkButton>
      </p>
    </>
  )
}

function ReportView({ report }: { report: DiversityBody }) {
  const names = namesOf(report.datasets)
  return (
    <>
      <Notes notes={notesOf(report, names)} className={styles.notes} />
      <div className={styles.panels}>
        {report.measures.map((measure) => (
          <MeasureChart key={measure.measure} measure={measure} report={report} />
        ))}
      </div>
      <Disclosure summary={t.howMade} className={styles.facts}>
        <Facts facts={[{ name: t.seed, value: String(report.seed) }, ...report.measures.map(modelFact)]} />
        {report.datasets.map((dataset, at) => (
          <section key={names[at]}>
            <h2 className={styles.dataset}>{names[at]}</h2>
            <Facts
              facts={[
                { name: t.images, value: formatCount(dataset.n_images) },
                { name: t.measuredImages, value: formatCount(dataset.n_measured) },
                { name: t.captions, value: formatCount(dataset.n_captions) },
                {
                  name: t.checksum,
                  value: <Digest value={dataset.digest} what={t.checksumOf({ name: names[at] ?? '' })} />,
                },
              ]}
            />
          </section>
        ))}
      </Disclosure>
    </>
  )
}

const modelFact = ({ measure, model, digest }: DiversityMeasure) => ({
  name: measureNames[measure],
  value: (
    <>
      {model} <Digest value={digest} what={t.weightsOf({ model })} />
    </>
  ),
})

interface Row extends DiversitySummary {
  name: string
}

function MeasureChart({ measure, report }: { measure: DiversityMeasure; report: DiversityBody }) {
  const names = useMemo(() => namesOf(report.datasets), [report])
  const spec = useMemo(() => densitySpec(measure, names), [measure, names])
  const rows = measure.datasets.map((summary, at): Row => ({ ...summary, name: names[at] ?? '' }))
  const { model, layer } = measure
  const what = measure.measure === 'clip_image' ? t.ofCaptions : t.ofPairs
  const by = layer === null ? t.by_model({ model }) : t.layerOf({ model, layer: String(layer) })
  return (
    <Chart<Row>
      title={measureNames[measure.measure]}
      spec={spec}
      table={{
        columns: [
          { title: t.dataset, value: ({ name }) => name },
          { title: t.mean, value: ({ mean }) => mean, format: decimals },
          { title: t.low, value: ({ low }) => low, format: decimals },
          { title: t.high, value: ({ high }) => high, format: decimals },
          { title: t.deviation, value: ({ deviation }) => deviation, format: decimals },
          { title: t.n, value: ({ n }) => n, format: formatCount },
          { title: t.missing, value: ({ n_missing: n }) => n, format: formatCount },
        ],
        rows,
      }}
      n={nOf(measure)}
      how={`${what} ${t.howInterval} ${by}`}
      lead={<p className={styles.lead}>{leadOf(measure)}</p>}
    />
  )
}

function leadOf(measure: DiversityMeasure): string {
  if (!measure.density) return t.noValue
  if (measure.density.curves.every((curve) => curve === null)) return t.allEqual
  return differenceOf(measure) ?? ''
}

/** What a reader must know before believing the curves. */
function notesOf(report: DiversityBody, names: readonly string[]): string[] {
  const onDrawings = report.measures.find((measure) => measure.is_trained_on_drawings)
  return [
    t.lowerIsMore,
    ...(names.length > 1 ? [report.is_paired ? t.paired : t.unpaired] : []),
    ...(onDrawings ? [t.onDrawings({ model: onDrawings.model })] : []),
    ...report.datasets.flatMap((dataset, at) => {
      const name = names[at] ?? ''
      const { n_images: all, n_measured: measured, n_single: singles, n_refused: refused } = dataset
      return [
        ...(measured < all ? [t.drawn({ name, measured: formatCount(measured), all: formatCount(all) })] : []),
        ...(singles > 0 ? [t.singles({ name, n: singles })] : []),
        ...(refused > 0 ? [t.refused({ name, n: refused })] : []),
      ]
    }),
  ]
}
