import { useMemo, useState } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { AnnotatorAgreement, AnnotatorKappa } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { type PairReading, useAnnotatorAgreement } from '../api/get-agreement'
import { nameOf } from '../state/agreement-words'
import { formatFigure, intervalInWords } from '../state/figures'
import { css, heatColour, inkOn } from '../state/heat'
import { whyNoKappa } from '../state/pair-words'
import page from './quality-page.module.css'

const readings: readonly { value: PairReading; label: string }[] = [
  { value: 'value', label: t.unsureIsAnswer },
  { value: 'missing', label: t.unsureLeftOut },
  { value: 'middle_linear', label: t.unsureLinear },
  { value: 'middle_quadratic', label: t.unsureQuadratic },
]

/** Cohen's kappa of every two annotators; a cell opens what they share, side by side. */
export function PairHeat({ slug }: { slug: string }) {
  const [reading, setReading] = useState<PairReading>('value')
  const { data, error, isPending, refetch } = useAnnotatorAgreement(slug, reading)
  if (isPending) return <Skeleton label={t.thePairs} rows={6} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data.annotators.length < 2) return <p className={page.note}>{t.comparedLater}</p>
  return <Heat slug={slug} data={data} reading={reading} onReading={setReading} />
}

interface HeatProps {
  slug: string
  data: AnnotatorAgreement
  reading: PairReading
  onReading: (reading: PairReading) => void
}

function Heat({ slug, data, reading, onReading }: HeatProps) {
  const pathOf = useMemo(() => pathsOf(slug), [slug])
  const people = useMemo(() => peopleIn(data), [data])
  const spec = useMemo(() => heatOf(people, data.pairs, pathOf), [people, data, pathOf])
  const names = new Map(data.annotators.map((person) => [person.id, nameOf(person)]))
  const shared = data.pairs.reduce((sum, { n_items: n }) => sum + n, 0)
  return (
    <Chart<AnnotatorKappa>
      title={t.whoAgrees}
      hasLinks
      spec={spec}
      table={{
        columns: [
          {
            title: t.pairOfPeople,
            value: (pair) =>
              t.personAndOther({ person: names.get(pair.first) ?? '', other: names.get(pair.second) ?? '' }),
            href: (pair) => pathOf.pair(pair.first, pair.second),
          },
          { title: t.kappa, value: ({ value }) => value, format: formatFigure },
          { title: t.low, value: ({ interval }) => interval?.low ?? null, format: formatFigure },
          { title: t.high, value: ({ interval }) => interval?.high ?? null, format: formatFigure },
          { title: t.sharedPairs, value: ({ n_items: n }) => n },
          { title: t.why, value: (pair) => (pair.value === null ? whyNoKappa(pair.reason_code) : '') },
        ],
        rows: data.pairs,
      }}
      n={t.nPeopleShared({ people: t.peopleN({ n: people.length }), shared: formatCount(shared) })}
      how={t.howKappa}
      lead={
        people.length < data.annotators.length && (
          <p className={page.note}>{t.busiestShown({ n: people.length, all: formatCount(data.annotators.length) })}</p>
        )
      }
      actions={
        <span className={page.inlineSelect}>
          <Select label={t.readingOfUnsure} hidesLabel choices={readings} value={reading} onChange={onReading} />
        </span>
      }
    />
  )
}

type Annotator = AnnotatorAgreement['annotators'][number]

interface Paths {
  pair: (first: number, second: number) => string
  person: (id: number) => string
}

const pathsOf = (slug: string): Paths => ({
  pair: (first, second) => `/projects/${slug}/quality/pairs/${first}/${second}`,
  person: (id) => `/projects/${slug}/quality/annotators/${id}`,
})

/** Of very many annotators the server sends the pairs of those who share most. Those who agree are neighbours. */
function peopleIn({ annotators, pairs, order }: AnnotatorAgreement): Annotator[] {
  const known = new Set(pairs.flatMap(({ first, second }) => [first, second]))
  const place = new Map(order.map((id, at) => [id, at]))
  return annotators
    .filter(({ id }) => known.has(id))
    .sort((a, b) => (place.get(a.id) ?? annotators.length) - (place.get(b.id) ?? annotators.length))
}

interface Cell {
  x: string
  y: string
  value: number | null
  title: string
  href: string
}

const meanColumn = 'mean'
const longestName = 16
// Names often differ in their last letters.
const shortened = (name: string) => (name.length > longestName ? `${name.slice(0, 6)}…${name.slice(-9)}` : name)

function heatOf(people: readonly Annotator[], pairs: readonly AnnotatorKappa[], path: Paths): ChartSpec {
  const names = new Map(people.map((person) => [String(person.id), nameOf(person)]))
  const cells = [
    ...pairs.flatMap((pair) => [
      cellOf(pair.first, pair.second, pair, names, path),
      cellOf(pair.second, pair.first, pair, names, path),
    ]),
    ...people.map((person) => meanOf(person, path)),
  ].filter(({ y }) => names.has(y))
  const known = cells.filter(({ value }) => value !== null)
  const ids = people.map(({ id }) => String(id))
  const longest = Math.max(...[...names.values()].map((name) => shortened(name).length))
  const margin = 16 + longest * 7
  const nameOfTick = (id: string) => (id === meanColumn ? t.mean : shortened(names.get(id) ?? ''))
  return (plot, width) => {
    const room = Math.min(72, Math.max(32, (width - margin) / (people.length + 1)))
    return {
      width: Math.ceil(margin + room * (people.length + 1) + 8),
      height: Math.ceil(12 + longest * 5.5 + people.length * 32),
      marginLeft: margin,
      marginTop: 12 + longest * 5.5,
      marginRight: 8,
      marginBottom: 0,
      x: { domain: [...ids, meanColumn], axis: null, padding: 0.04 },
      y: { domain: ids, axis: null, padding: 0.06 },
      color: { type: 'identity' },
      marks: [
        plot.axisX({
          anchor: 'top',
          tickSize: 0,
          tickRotate: -38,
          textAnchor: 'start',
          tickFormat: nameOfTick,
          label: null,
          fontSize: 12,
        }),
        plot.axisY({ tickSize: 0, tickFormat: nameOfTick, label: null, fontSize: 13, fill: 'var(--text)' }),
        plot.cell(
          cells.filter(({ value }) => value === null),
          { x: 'x', y: 'y', fill: 'var(--sunk)', title: 'title', href: 'href', ariaLabel: 'title' },
        ),
        plot.text(
          cells.filter(({ value }) => value === null),
          { x: 'x', y: 'y', text: () => '–', pointerEvents: 'none' },
        ),
        plot.cell(known, {
          x: 'x',
          y: 'y',
          fill: ({ value }: Cell) => hexOf(value),
          title: 'title',
          href: 'href',
          ariaLabel: 'title',
        }),
        plot.text(known, {
          x: 'x',
          y: 'y',
          text: ({ value }: Cell) => formatFigure(value ?? 0),
          fill: ({ value }: Cell) => inkOn(heatColour(value ?? 0)),
          fontSize: 12.5,
          pointerEvents: 'none',
        }),
      ],
    }
  }
}

const hexOf = (value: number | null) => css(heatColour(value ?? 0))

function cellOf(
  row: number,
  column: number,
  pair: AnnotatorKappa,
  names: ReadonlyMap<string, string>,
  path: Paths,
): Cell {
  const [x, y] = [String(column), String(row)]
  const title = t.pairFigure({
    title: t.personAndOther({ person: names.get(y) ?? '', other: names.get(x) ?? '' }),
    value: pair.value === null ? whyNoKappa(pair.reason_code) : formatFigure(pair.value),
    value2: pair.value === null ? '' : `, ${intervalInWords(pair.interval)}`,
    nItems: pair.n_items,
  })
  return { x, y, value: pair.value, title, href: path.pair(row, column) }
}

function meanOf(person: Annotator, path: Paths): Cell {
  const title = t.pairFigure({
    title: t.ofPersonAndAll({ person: nameOf(person) }),
    value: person.mean === null ? whyNoKappa(person.reason_code) : formatFigure(person.mean),
    value2: person.mean === null ? '' : `, ${intervalInWords(person.interval)}`,
    nItems: person.n_items,
  })
  return { x: meanColumn, y: String(person.id), value: person.mean, title, href: path.person(person.id) }
}
