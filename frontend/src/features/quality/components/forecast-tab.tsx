import { LinkButton } from '@/components/ui/link-button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Forecast } from '@/lib/api/served'
import { formatCount, formatShare, plural } from '@/lib/format/numbers'
import { useForecast } from '../api/get-forecast'
import styles from './forecast-tab.module.css'
import page from './quality-page.module.css'

/** How many judgments, hours and how much money are left, each with its interval. */
export function ForecastTab({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useForecast(project.slug)
  if (isPending) return <Skeleton label="the forecast" rows={2} />
  if (error) return <ErrorState error={error} title="The forecast failed" onRetry={() => void refetch()} />
  if (data.judgments.high === 0) {
    return (
      <EmptyState title="Nothing is left to judge" icon="check">
        Every pair has the judgments it needs. When HITs are built or judgments stop to count, the forecast begins anew.
      </EmptyState>
    )
  }
  return (
    <section className={page.section} aria-label="Forecast">
      <dl className={styles.figures}>
        <Left name="judgments" span={data.judgments} />
        <Left name="HITs to hand out" span={data.assignments} />
        <Left name="hours of people’s time" span={data.hours} why={data.hours_reason} decimals={1} />
        <Left name="money, fee included" span={data.cost} why={data.cost_reason} decimals={2} />
      </dl>
      <ul className={page.about}>
        {basisOf(data).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {data.cost === null && project.role === 'curator' && (
        <div>
          <LinkButton to="/projects/$slug/settings" params={{ slug: project.slug }}>
            Set the pay
          </LinkButton>
        </div>
      )}
    </section>
  )
}

interface LeftProps {
  name: string
  /** Money comes as text, so that no cent is lost on the way. */
  span: { mean: number | string; low: number | string; high: number | string } | null
  why?: string | null
  decimals?: number
}

function Left({ name, span, why, decimals = 0 }: LeftProps) {
  const written = (value: number | string) =>
    Number(value).toLocaleString('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        {span ? (
          <>
            <b>{written(span.mean)}</b>
            <span>
              {written(span.low)} to {written(span.high)}
            </span>
          </>
        ) : (
          <>
            <b aria-hidden="true">—</b>
            <span>{why}</span>
          </>
        )}
      </dd>
    </div>
  )
}

/** What the figures rest on, in sentences. */
function basisOf(data: Forecast): string[] {
  const kind = data.overlap === 'fixed' ? 'Every pair gets the same number of judgments' : 'Overlap is adaptive'
  return [
    `${kind}; ${plural(data.places_open, 'turn')} sure to come, about ${formatCount(Math.round(data.hits_unfinished))} HITs unfinished.`,
    data.is_drawn ? `Worked out from ${formatCount(data.hits_drawn)} HITs drawn from these; the interval knows.` : '',
    data.skill
      ? `Annotators are right ${formatShare(data.skill.value)} of the time (${formatShare(data.skill.low)} to ${formatShare(data.skill.high)}), ${data.skill.detail}.`
      : '',
    data.seconds_per_assignment === null
      ? ''
      : `A HIT takes ${Math.round(data.seconds_per_assignment)} seconds, the median of ${formatCount(data.assignments_timed)}.`,
    `Intervals are ${formatShare(data.level)}.`,
  ].filter((sentence) => sentence !== '')
}
