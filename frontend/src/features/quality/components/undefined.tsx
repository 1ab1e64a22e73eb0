import type { AgreementFigure } from '@/lib/api/served'
import { undefinedInCell, undefinedInWords } from '../state/figures'

/** The share of the drawings behind an interval that had no figure, where there are any: few words for the eye, a
 * sentence for the ear and on hover. */
export function Undefined({ interval }: { interval: AgreementFigure['interval'] }) {
  const said = undefinedInWords(interval)
  if (said === null) return null
  return (
    <small title={said}>
      <span aria-hidden="true">{undefinedInCell(interval)}</span>
      <span className="visually-hidden">{said}</span>
    </small>
  )
}
