import { useState } from 'react'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { AnnotatorAgreement, AnnotatorKappa } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { type PairReading, useAnnotatorAgreement } from '../api/get-agreement'
import { formatFigure, intervalInCell, intervalInWords, undefinedInCell } from '../state/figures'
import { css, heatColour, inkOn } from '../state/heat'
import styles from './pair-matrix.module.css'
import page from './quality-page.module.css'

const readings: readonly { value: PairReading; label: string }[] = [
  { value: 'value', label: t.unsureIsAnswer },
  { value: 'missing', label: t.unsureLeftOut },
  { value: 'middle_linear', label: t.unsureLinear },
  { value: 'middle_quadratic', label: t.unsureQuadratic },
]

/** Cohen's kappa of every two annotators, as a heat map with the value and n printed in the cell. */
export function PairMatrix({ slug }: { slug: string }) {
  const [reading, setReading] = useState<PairReading>('value')
  const { data, error, isPending, refetch } = useAnnotatorAgreement(slug, reading)
  return (
    <section className={page.section} aria-labelledby="pairs">
      <h2 id="pairs" className={page.title}>
        {t.whoAgrees}
      </h2>
      <div className={page.filters}>
        <Select label={t.readingOfUnsure} choices={readings} value={reading} onChange={setReading} />
      </div>
      {isPending && <Skeleton label={t.thePairs} rows={3} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && data.annotators.length < 2 && <p className={page.note}>{t.comparedLater}</p>}
      {data && data.annotators.length > 1 && <Matrix people={peopleIn(data)} pairs={data.pairs} />}
      {data && peopleIn(data).length < data.annotators.length && (
        <p className={page.note}>
          {t.busiestShown({ n: peopleIn(data).length, all: formatCount(data.annotators.length) })}
        </p>
      )}
    </section>
  )
}

type Person = AnnotatorAgreement['annotators'][number]

const nameOf = ({ display_name, username }: Person): string => display_name || username

/** Of very many annotators the server tells the pairs among those who judged most in common. */
function peopleIn({ annotators, pairs }: AnnotatorAgreement): Person[] {
  const known = new Set(pairs.flatMap(({ first, second }) => [first, second]))
  return annotators.filter(({ id }) => known.has(id))
}

function Matrix({ people, pairs }: { people: readonly Person[]; pairs: readonly AnnotatorKappa[] }) {
  const kappas = new Map(
    pairs.flatMap((pair) => [
      [`${pair.first} ${pair.second}`, pair] as const,
      [`${pair.second} ${pair.first}`, pair] as const,
    ]),
  )
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reached by keyboard.
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={t.kappaOfPairs}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <td />
            {people.map((person, place) => (
              <th key={person.id} scope="col" title={nameOf(person)}>
                <span aria-hidden="true">{place + 1}</span>
                <span className="visually-hidden">{nameOf(person)}</span>
              </th>
            ))}
            <th scope="col" className={styles.mean}>
              {t.mean}
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person, place) => (
            <tr key={person.id}>
              <th scope="row" className={styles.name}>
                <span className={styles.place} aria-hidden="true">
                  {place + 1}
                </span>
                {nameOf(person)}
              </th>
              {people.map((other) => (
                <Cell
                  key={other.id}
                  pair={person.id === other.id ? null : kappas.get(`${person.id} ${other.id}`)}
                  title={t.personAndOther({ person: nameOf(person), other: nameOf(other) })}
                />
              ))}
              <Mean person={person} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type NoValue = NonNullable<AnnotatorKappa['reason_code']>

const why: Record<NoValue, string> = {
  no_overlap: t.noneBoth,
  none_counted: t.noneCounted,
  no_names: t.noneBoth,
  one_item: t.oneBoth,
  one_label: t.allSame,
  no_two: t.noTwo,
  unequal_raters: t.notDefined,
  nominal_only: t.notDefined,
  nothing_shared: t.noneBoth,
  beyond_largest: t.intervalBeyond,
}

/** The same in so few words that a cell has room for them. */
const whyInCell: Record<NoValue, string> = {
  no_overlap: t.noneBothShort,
  none_counted: t.noneCountedShort,
  no_names: t.noneBothShort,
  one_item: t.oneBothShort,
  one_label: t.allSameShort,
  no_two: t.noTwoShort,
  unequal_raters: t.notDefined,
  nominal_only: t.notDefined,
  nothing_shared: t.noneBothShort,
  beyond_largest: t.intervalBeyondShort,
}

/** Somebody's mean with all others, as a cell of two but for the colour. */
function Mean({ person }: { person: Person }) {
  const title = t.ofPersonAndAll({ person: nameOf(person) })
  const n = <small>{t.nItems({ nItems: formatCount(person.n_items) })}</small>
  if (person.mean === null) {
    const reason = person.reason_code ?? 'no_overlap'
    return (
      <td className={styles.mean} title={`${title}: ${why[reason]}`}>
        —<small aria-hidden="true">{whyInCell[reason]}</small>
        <span className="visually-hidden">, {why[reason]}, </span>
        {n}
      </td>
    )
  }
  const interval = intervalInWords(person.interval)
  const value = formatFigure(person.mean)
  return (
    <td className={styles.mean} title={t.pairFigure({ title, value, value2: `, ${interval}`, nItems: person.n_items })}>
      {value}
      <Drawn interval={person.interval} />
      {n}
    </td>
  )
}

/** The interval for the eye in few words, and for the ear in more. */
function Drawn({ interval }: { interval: AnnotatorKappa['interval'] }) {
  return (
    <>
      <small aria-hidden="true">{intervalInCell(interval)}</small>
      <small aria-hidden="true">{undefinedInCell(interval)}</small>
      <span className="visually-hidden">, {intervalInWords(interval)}, </span>
    </>
  )
}

/** `pair` is null on the diagonal. */
function Cell({ pair, title }: { pair: AnnotatorKappa | null | undefined; title: string }) {
  if (pair === null) return <td className={styles.self} aria-hidden="true" />
  if (pair?.value == null) return <NoFigure pair={pair} title={title} />
  const colour = heatColour(pair.value)
  const interval = intervalInWords(pair.interval)
  return (
    <td
      style={{ backgroundColor: css(colour), color: inkOn(colour) }}
      title={t.pairFigure({
        title,
        value: formatFigure(pair.value),
        value2: `, ${interval}`,
        nItems: pair.n_items,
      })}
    >
      {formatFigure(pair.value)}
      <Drawn interval={pair.interval} />
      <small>{t.nItems({ nItems: formatCount(pair.n_items) })}</small>
    </td>
  )
}

/** A dash and why: in few words for the eye, in a sentence for the ear and on hover. */
function NoFigure({ pair, title }: { pair: AnnotatorKappa | undefined; title: string }) {
  const reason = pair?.reason_code ?? 'no_overlap'
  return (
    <td className={styles.none} title={`${title}: ${why[reason]}`}>
      —<small aria-hidden="true">{whyInCell[reason]}</small>
      <span className="visually-hidden">, {why[reason]}, </span>
      <small>{t.nItems({ nItems: formatCount(pair?.n_items ?? 0) })}</small>
    </td>
  )
}
