import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BurnDownChart } from '@/components/burn-down/burn-down-chart'
import { cx } from '@/components/ui/cx'
import { Grid, Span } from '@/components/ui/grid'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Forecast, Overview, Said } from '@/lib/api/served'
import { formatDay } from '@/lib/format/day'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { say } from '@/lib/language/catalogue'
import { locale } from '@/lib/language/language'
import { Sentence } from '@/lib/language/sentence'
import { useOverview } from '@/lib/project/get-overview'
import { t as words } from '@/messages/overview'
import { t } from '@/messages/quality'
import { useForecast } from '../api/get-forecast'
import styles from './forecast-tab.module.css'
import page from './quality-page.module.css'

/** How many judgments, hours and how much money are left, each with its interval. */
export function ForecastTab({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useForecast(project.slug)
  const overview = useOverview(project.slug).data
  const isCurator = project.role === 'curator'
  if (isPending) return <Skeleton label={t.theForecast} rows={2} />
  if (error) return <ErrorState error={error} title={t.forecastFailed} onRetry={() => void refetch()} />
  if (data.judgments.high === 0) {
    return (
      <EmptyState title={t.nothingLeft} icon="check">
        {t.allJudged}
      </EmptyState>
    )
  }
  return (
    <section className={page.section} aria-label={t.forecast}>
      {data.hits_waiting > 0 && (
        <Notice tone="warning">
          {t.waitingForSomebodyNew({ hitsWaiting: data.hits_waiting })}{' '}
          {isCurator ? (
            <Link to="/projects/$slug/people" params={{ slug: project.slug }}>
              {t.inviteSomebodyNew}
            </Link>
          ) : (
            t.askCurator
          )}
        </Notice>
      )}
      <dl className={styles.figures}>
        {overview?.finish && overview.slots_open > 0 && <FinishDate finish={overview.finish} today={overview.today} />}
        <Left name={t.leftJudgments} span={data.judgments} />
        <Left name={t.leftHits} span={data.assignments} />
        <Left name={t.leftHours} span={data.hours} why={data.hours_reason} decimals={1} />
        <Left name={t.leftMoney} span={data.cost} why={data.cost_reason} decimals={2}>
          {isCurator && (
            <Link to="/projects/$slug/settings" params={{ slug: project.slug }}>
              {t.setPay}
            </Link>
          )}
        </Left>
      </dl>
      <Grid>
        {overview && (
          <Span n={8}>
            <BurnDownChart overview={overview} />
          </Span>
        )}
        <Span n={4}>
          <ul className={cx(page.about, styles.basis)}>
            {basisOf(data).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {data.as_of !== null && (
              <li>
                <Sentence of={t.asOf} parts={{ when: <RelativeTime at={data.as_of} /> }} />
              </li>
            )}
          </ul>
        </Span>
      </Grid>
    </section>
  )
}

function FinishDate({ finish, today }: { finish: NonNullable<Overview['finish']>; today: string }) {
  const { expected, earliest, latest } = finish
  return (
    <div className={styles.figure}>
      <dt>{words.finish}</dt>
      <dd>
        <b>{formatDay(expected, today)}</b>
        <span>{t.lowToHigh({ low: formatDay(earliest, today), high: formatDay(latest, today) })}</span>
      </dd>
    </div>
  )
}

interface LeftProps {
  name: string
  /** Money comes as text, so that no cent is lost on the way. */
  span: { mean: number | string; low: number | string; high: number | string } | null
  why?: Said | null
  decimals?: number
  /** What to do about a figure that is missing. */
  children?: ReactNode
}

function Left({ name, span, why, decimals = 0, children }: LeftProps) {
  const written = (value: number | string) =>
    Number(value).toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        {span ? (
          <>
            <b>{written(span.mean)}</b>
            {span.low !== span.high && (
              <span>{t.lowToHigh({ low: written(span.low), high: written(span.high) })}</span>
            )}
          </>
        ) : (
          <>
            <b aria-hidden="true">—</b>
            <span>{why && say(why)}</span>
            {children}
          </>
        )}
      </dd>
    </div>
  )
}

/** What the figures rest on, in sentences. */
function basisOf(data: Forecast): string[] {
  const kind = data.overlap === 'fixed' ? t.fixedOverlap : t.adaptiveOverlap
  return [
    t.turnsToCome({
      kind,
      placesOpen: data.slots_open,
      hitsUnfinished: formatCount(data.hits_unfinished),
    }),
    data.seconds_per_assignment === null
      ? ''
      : t.secondsPerHit({
          secondsPerAssignment: Math.round(data.seconds_per_assignment),
          assignmentsTimed: formatCount(data.assignments_timed),
        }),
    t.intervalsAre({ level: formatShare(data.level) }),
  ].filter((sentence) => sentence !== '')
}
