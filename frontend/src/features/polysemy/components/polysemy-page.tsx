import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
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
import { measures } from '../state/curves'
import { CurveChart } from './curve-chart'
import { CurveTable } from './curve-table'
import styles from './polysemy-page.module.css'
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
  const [isLog, setIsLog] = useState(false)
  useActions(polysemyActions, { 'polysemy.scale': () => setIsLog((was) => !was) })
  return (
    <>
      <ReportNotes report={report} />
      <RadiusScale isLog={isLog} onLog={setIsLog} />
      <div className={styles.panels}>
        {measures.map((measure) => (
          <CurveChart key={measure.id} report={report} measure={measure} isLog={isLog} />
        ))}
      </div>
      <Disclosure summary={t.allValues} className={styles.table}>
        <p className={styles.note}>{t.notOwnNeighbour}</p>
        <CurveTable report={report} />
      </Disclosure>
      <ReportFacts report={report} />
    </>
  )
}

function RadiusScale({ isLog, onLog }: { isLog: boolean; onLog: (isLog: boolean) => void }) {
  return (
    <div role="group" aria-label={t.scaleOfRadius} className={styles.scales}>
      {[false, true].map((each) => (
        <Button
          key={String(each)}
          size="small"
          variant="quiet"
          aria-pressed={isLog === each}
          className={isLog === each ? (styles.on ?? '') : ''}
          onPress={() => onLog(each)}
        >
          {each ? t.logarithmic : t.linear}
        </Button>
      ))}
    </div>
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
