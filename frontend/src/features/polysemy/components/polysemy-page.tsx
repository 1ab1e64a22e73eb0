import { useState } from 'react'
import { DownloadLink } from '@/components/ui/download-link'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { PolysemyReport } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/polysemy'
import { polysemyActions } from '../actions'
import { useReports } from '../api/get-reports'
import { measures, radiiOf } from '../state/curves'
import { CurveChart } from './curve-chart'
import { CurveReadings } from './curve-readings'
import { CurveTable } from './curve-table'
import styles from './polysemy-page.module.css'
import { RadiusControls } from './radius-controls'
import { ReportFacts, ReportNotes } from './report-facts'

/** How far the captions of pictures that look alike lie apart, corpus against corpus. */
export function PolysemyPage({ project }: { project: Project }) {
  const { data: reports, error, isPending, refetch } = useReports(project.slug)
  const [chosen, setChosen] = useState<string | null>(null)
  const report = reports?.find(({ id }) => id === chosen) ?? reports?.[0]
  return (
    <Page isWide>
      <PageHeader
        title={t.polysemy}
        lead={report && <Lead report={report} />}
        actions={report && <Files report={report} />}
      />
      {isPending && <Skeleton label={t.theReport} rows={4} />}
      {error && !reports && <ErrorState error={error} title={t.reportNotShown} onRetry={() => void refetch()} />}
      {reports?.length === 0 && <NoReport project={project} />}
      {reports && reports.length > 1 && (
        <div className={styles.choice}>
          <Select label={t.report} choices={reports.map(choiceOf)} value={report?.id ?? null} onChange={setChosen} />
        </div>
      )}
      {report && <ReportView key={report.id} report={report} />}
    </Page>
  )
}

const namesOf = (report: PolysemyReport) => report.corpora.map(({ corpus }) => corpus).join(', ')

const choiceOf = (report: PolysemyReport) => ({
  value: report.id,
  label: namesOf(report),
  detail: absoluteTime(new Date(report.created_at)),
})

function Lead({ report }: { report: PolysemyReport }) {
  return (
    <>
      <Sentence
        of={({ when }) => t.measured({ n: report.corpora.length, when })}
        parts={{ when: <RelativeTime at={report.created_at} /> }}
      />
    </>
  )
}

function Files({ report }: { report: PolysemyReport }) {
  return (
    <span className={styles.files}>
      {(['csv', 'json'] as const).map((kind) => (
        <DownloadLink key={kind} href={report[kind]}>
          {kind.toUpperCase()}
        </DownloadLink>
      ))}
    </span>
  )
}

function ReportView({ report }: { report: PolysemyReport }) {
  const radii = radiiOf(report)
  const [radius, setRadius] = useState(radii.at(-1) ?? 0)
  const [isLog, setIsLog] = useState(false)
  const step = (by: number) => setRadius((now) => radii[radii.indexOf(now) + by] ?? now)
  useActions(polysemyActions, {
    'polysemy.next': () => step(1),
    'polysemy.previous': () => step(-1),
    'polysemy.scale': () => setIsLog((was) => !was),
  })
  return (
    <>
      <ReportNotes report={report} />
      <RadiusControls radii={radii} radius={radius} onRadius={setRadius} isLog={isLog} onLog={setIsLog} />
      <div className={styles.panels}>
        {measures.map((measure) => (
          <section key={measure.id} className={styles.panel}>
            <h2 className={styles.title}>{measure.title}</h2>
            <p className={styles.note}>{measure.explanation}</p>
            <CurveChart report={report} measure={measure} isLog={isLog} marked={radius} onMark={setRadius} />
            <CurveReadings report={report} measure={measure} radius={radius} />
          </section>
        ))}
      </div>
      <section className={styles.table}>
        <h2 className={styles.title}>{t.allValues}</h2>
        <p className={styles.note}>{t.notOwnNeighbour}</p>
        <CurveTable report={report} />
      </section>
      <ReportFacts report={report} />
    </>
  )
}

function NoReport({ project }: { project: Project }) {
  return (
    <NothingYet
      project={project}
      title={t.noReport}
      icon="search"
      forCurators={t.reportForCurators}
      forOthers={t.reportForOthers}
    />
  )
}
