import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { asApiError } from '@/lib/api/api-error'
import type { WebTitlesEstimate } from '@/lib/api/served'
import { formatCount, plural } from '@/lib/format/numbers'
import { useWebTitlesEstimate } from '../api/get-web-titles-estimate'
import styles from './stage-dialog.module.css'

/** What looking the images up would take, and whether this run may take it, before anything is sent. */
export function WebTitlesCost({ slug, mostUnits }: { slug: string; mostUnits: number }) {
  const { data, error, isPending } = useWebTitlesEstimate(slug)
  return (
    <section className={styles.cost} aria-label="What it takes">
      {isPending && <Skeleton label="what it takes" rows={3} />}
      {error && !data && <Notice tone="bad">What it takes could not be worked out. {asApiError(error).message}</Notice>}
      {data && <Estimate estimate={data} mostUnits={mostUnits} />}
    </section>
  )
}

function Estimate({ estimate, mostUnits }: { estimate: WebTitlesEstimate; mostUnits: number }) {
  const { n_images, n_cached, n_to_ask, units, has_key } = estimate
  return (
    <>
      <Facts
        facts={[
          { name: 'To look up', value: `${formatCount(n_to_ask)} of ${plural(n_images, 'image')}` },
          { name: 'Known already', value: n_cached > 0 ? `${plural(n_cached, 'image')}, free` : null },
          { name: 'Quota', value: plural(units, 'unit') },
          { name: 'Cost', value: costOf(estimate) },
          { name: 'Key', value: has_key ? 'Set' : 'Not set' },
        ]}
      />
      <Verdict estimate={estimate} mostUnits={mostUnits} />
    </>
  )
}

/** The account's free units of the month may be used up elsewhere, so that the price is known between two bounds. */
function costOf({ units, cost, least_cost, currency }: WebTitlesEstimate): string {
  if (units === 0) return 'Nothing'
  if (cost === least_cost) return `${cost} ${currency}`
  return `${least_cost} to ${cost} ${currency}, depending on how many free units are left this month`
}

function Verdict({
  estimate: { n_to_ask, units, has_key },
  mostUnits,
}: {
  estimate: WebTitlesEstimate
  mostUnits: number
}) {
  if (n_to_ask === 0) return <Notice>Every image was looked up before: nothing is asked, and nothing is paid.</Notice>
  if (!has_key) {
    return (
      <Notice>
        This site has no key for Google Cloud Vision (CONNOTE_GOOGLE_VISION_KEY), so nothing is sent and nothing is
        paid. The run says so, and the walk goes on without web titles.
      </Notice>
    )
  }
  if (units <= mostUnits) return null
  return (
    <Notice tone="bad">
      {plural(units, 'image')} would be looked up and this run may look up {formatCount(mostUnits)}, so nothing would be
      sent. Set Most units to at least {units}.
    </Notice>
  )
}
