import { ActionButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { Slider } from '@/components/ui/slider'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { SuspectCounts } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import { useKeepAllOut } from '../api/keep-all-out'
import { cosinesOf, openFrom } from '../state/suspect-words'
import styles from './leakage-page.module.css'

interface SuspectThresholdProps {
  slug: string
  counts: SuspectCounts
  /** Null: as low as there are any. */
  least: number | null
  onLeast: (least: number) => void
}

/** How much alike two images must look to be listed, how many these are, and one decision for all of them. */
export function SuspectThreshold({ slug, counts, least, onLeast }: SuspectThresholdProps) {
  const { mutate, isPending } = useKeepAllOut(slug)
  const cosines = cosinesOf(counts)
  const [low, high] = [cosines[0] ?? 0, cosines.at(-1) ?? 0]
  const now = Math.min(Math.max(least ?? low, low), high)
  const n = openFrom(counts, now)
  const keepOut = () =>
    mutate(
      { min_cosine: now, expected: n },
      {
        onSuccess: ({ n_kept_out: kept }) => showToast(t.nKeptOut({ n: kept })),
        onError: (error) => showToast(asApiError(error).message, 'bad'),
      },
    )
  return (
    <div className={styles.threshold}>
      {high > low && (
        <div className={styles.slider}>
          <Slider
            label={t.leastAlike}
            shown={t.leastShown({ cosine: formatDecimal(now, 3), n })}
            valueText={t.leastShown({ cosine: formatDecimal(now, 3), n })}
            min={Math.round(low * 1000)}
            max={Math.round(high * 1000)}
            value={Math.round(now * 1000)}
            onChange={(thousandths) => onLeast(thousandths / 1000)}
          />
        </div>
      )}
      <Button isPending={isPending} isDisabled={n === 0} onPress={keepOut}>
        {t.keepAllOut({ n })}
      </Button>
      <ActionButton id="leakage.difference" variant="quiet" showsKey />
    </div>
  )
}
