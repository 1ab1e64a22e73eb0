import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { asApiError } from '@/lib/api/api-error'
import type { WebTitlesEstimate } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useWebTitlesEstimate } from '../api/get-web-titles-estimate'
import styles from './stage-dialog.module.css'

/** What looking the images up would take, and whether this run may take it, before anything is sent. */
export function WebTitlesCost({ slug, mostUnits }: { slug: string; mostUnits: number }) {
  const { data, error, isPending } = useWebTitlesEstimate(slug)
  return (
    <section className={styles.cost} aria-label={t.whatItTakes}>
      {isPending && <Skeleton label={t.whatItTakesLoading} rows={3} />}
      {error && !data && <Notice tone="bad">{t.notWorkedOut({ message: asApiError(error).message })}</Notice>}
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
          { name: t.toLookUp, value: t.toAsk({ nToAsk: formatCount(n_to_ask), nImages: n_images }) },
          { name: t.knownAlready, value: n_cached > 0 ? t.free({ nCached: n_cached }) : null },
          { name: t.quota, value: t.units({ units }) },
          { name: t.cost, value: costOf(estimate) },
          { name: t.key, value: has_key ? t.set : t.notSet },
        ]}
      />
      <Verdict estimate={estimate} mostUnits={mostUnits} />
    </>
  )
}

/** The account's free units of the month may be used up elsewhere, so that the price is known between two bounds. */
function costOf({ units, cost, least_cost, currency }: WebTitlesEstimate): string {
  if (units === 0) return t.nothing
  if (cost === least_cost) return `${cost} ${currency}`
  return t.costBetween({ leastCost: least_cost, cost, currency })
}

function Verdict({
  estimate: { n_to_ask, units, has_key },
  mostUnits,
}: {
  estimate: WebTitlesEstimate
  mostUnits: number
}) {
  if (n_to_ask === 0) return <Notice>{t.nothingToAsk}</Notice>
  if (!has_key) {
    return <Notice>{t.noKey}</Notice>
  }
  if (units <= mostUnits) return null
  return <Notice tone="bad">{t.tooMany({ units, mostUnits: formatCount(mostUnits), units2: units })}</Notice>
}
