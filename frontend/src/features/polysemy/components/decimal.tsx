import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'

const reason = t.undefinedHere

/** A mean with four decimals; where there is none a dash, with its reason for the pointer and for who hears it. */
export function Decimal({ value }: { value: number | null }) {
  if (value !== null) return formatDecimal(value, 4)
  return (
    <span title={reason}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{reason}</span>
    </span>
  )
}
