import type { Agreement, AgreementFigure, AgreementSlice, AnnotatorKappa } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { editKindName } from '@/lib/judging/annotation-words'
import { inOurLanguage } from '@/lib/language/catalogue'
import { inSentence } from '@/lib/language/language'
import { t } from '@/messages/quality'

export type Measure = AgreementFigure['measure']
export type Reading = AgreementFigure['reading']

export const measureNames: Record<Measure, string> = {
  alpha_nominal: t.alphaNominal,
  alpha_ordinal: t.alphaOrdinal,
  fleiss: t.fleiss,
  cohen: t.cohen,
  cohen_linear: t.cohenLinear,
  cohen_quadratic: t.cohenQuadratic,
}

/** How `unsure` is read; nobody can pick the flattering one, since all three stand side by side. */
export const readingNames: Record<Reading, string> = {
  value: t.unsureIsAnswer,
  missing: t.unsureLeftOut,
  middle: t.unsureBetween,
  'as given': t.asSaid,
}

export const threeReadings: readonly Reading[] = ['value', 'missing', 'middle']

const measureOrder = Object.keys(measureNames) as Measure[]

export interface FigureRow {
  measure: Measure
  byReading: Partial<Record<Reading, AgreementFigure>>
}

/** The figures of one slice, a row for each measure. */
export function rowsOf(figures: readonly AgreementFigure[]): FigureRow[] {
  return measureOrder.flatMap((measure) => {
    const found = figures.filter((figure) => figure.measure === measure)
    if (found.length === 0) return []
    return [{ measure, byReading: Object.fromEntries(found.map((figure) => [figure.reading, figure])) }]
  })
}

const isOrdered: Record<Measure, boolean> = {
  alpha_nominal: false,
  alpha_ordinal: true,
  fleiss: false,
  cohen: false,
  cohen_linear: true,
  cohen_quadratic: true,
}

/** Why a figure has no value, as the server says. */
export const whyUndefined = ({ reason_code: code, reason }: AgreementFigure): string =>
  code === null ? reason : inOurLanguage(`figure_${code}`, null, reason)

/** Why a measure has no figure under a reading: only unsure between good and bad gives the labels an order. */
export function whyNoFigure(measure: Measure, reading: Reading): string {
  const hasOrder = reading === 'middle'
  if (hasOrder && !isOrdered[measure]) return t.knowsNoOrder
  if (!hasOrder && isOrdered[measure]) return t.needsOrder
  return t.notYetWorkedOut
}

export interface Kind {
  measure: Measure
  reading: Reading
}

export const kindName = ({ measure, reading }: Kind): string =>
  reading === 'as given' ? measureNames[measure] : `${measureNames[measure]}; ${inSentence(readingNames[reading])}`

export const kindKey = ({ measure, reading }: Kind): string => `${measure} ${reading}`

/** Which figures there are in any slice, Krippendorff's first. */
export function kindsOf(slices: readonly AgreementSlice[]): Kind[] {
  const kinds = new Map(slices.flatMap((slice) => slice.figures.map((figure) => [kindKey(figure), figure] as const)))
  return [...kinds.values()].sort((a, b) => measureOrder.indexOf(a.measure) - measureOrder.indexOf(b.measure))
}

export const figureOf = (slice: AgreementSlice, kind: Kind): AgreementFigure | undefined =>
  slice.figures.find((figure) => kindKey(figure) === kindKey(kind))

/** "0.46", with a true minus; figures of agreement lie between −1 and 1. */
export const formatFigure = (value: number): string => formatDecimal(value, 2).replace('-', '−')

export function formatInterval(interval: AnnotatorKappa['interval']): string | null {
  if (interval?.low == null || interval.high == null) return null
  return t.lowToHigh({ low: formatFigure(interval.low), high: formatFigure(interval.high) })
}

type NoInterval = NonNullable<NonNullable<AnnotatorKappa['interval']>['reason_code']>

const whyNoInterval: Record<NoInterval, { inWords: string; inCell: string }> = {
  one_cluster: { inWords: t.intervalOfOneImage, inCell: t.intervalOfOneImageShort },
  never_defined: { inWords: t.intervalNeverDefined, inCell: t.intervalNeverDefinedShort },
  beside_figure: { inWords: t.intervalBeside, inCell: t.intervalBesideShort },
  few_by_chance: { inWords: t.intervalFewByChance, inCell: t.intervalBesideShort },
  hangs_on_one: { inWords: t.intervalHangs, inCell: t.intervalHangsShort },
  beyond_largest: { inWords: t.intervalBeyond, inCell: t.intervalBeyondShort },
}

/** The bounds alone, or in a few words why there are none: what a cell of the matrix has room for. */
export function intervalInCell(interval: AnnotatorKappa['interval']): string {
  if (interval === null) return t.intervalLaterShort
  return formatInterval(interval) ?? whyNoInterval[interval.reason_code ?? 'never_defined'].inCell
}

/** The share of the drawings that had no figure, where there are any: what the others say is surer than it may be. */
export function undefinedInCell(interval: AnnotatorKappa['interval']): string | null {
  const share = undefinedOf(interval)
  return share === 0 ? null : t.undefinedShareShort({ share: formatShare(share) })
}

/** The same as a part of a sentence. */
export function undefinedInWords(interval: AnnotatorKappa['interval']): string | null {
  const share = undefinedOf(interval)
  return share === 0 ? null : t.undefinedShare({ share: formatShare(share) })
}

const undefinedOf = (interval: AnnotatorKappa['interval']): number =>
  interval?.low == null ? 0 : interval.undefined_share

/** The interval of a figure of two people, or why there is none. */
export function intervalInWords(interval: AnnotatorKappa['interval']): string {
  if (interval === null) return t.intervalLater
  if (interval.low === null || interval.high === null)
    return whyNoInterval[interval.reason_code ?? 'never_defined'].inWords
  const bounds = t.pairInterval({
    level: formatShare(interval.level),
    low: formatFigure(interval.low),
    high: formatFigure(interval.high),
  })
  return [bounds, undefinedInWords(interval)].filter((part) => part !== null).join(', ')
}

/** What a slice is of, in words. */
export function sliceName(scope: Agreement['scope'], value: string): string {
  if (scope === 'edit') return editKindName(value)
  return sourceName(value)
}
