import { useState } from 'react'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { AnnotatorAgreement, AnnotatorKappa } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { type PairReading, useAnnotatorAgreement } from '../api/get-agreement'
import { formatFigure, intervalInWords } from '../state/figures'
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
      {data && data.annotators.length > 1 && <Matrix data={data} />}
    </section>
  )
}

type Person = AnnotatorAgreement['annotators'][number]

const nameOf = ({ display_name, username }: Person): string => display_name || username

function Matrix({ data: { annotators, pairs } }: { data: AnnotatorAgreement }) {
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
            {annotators.map((person, place) => (
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
          {annotators.map((person, place) => (
            <tr key={person.id}>
              <th scope="row" className={styles.name}>
                <span className={styles.place} aria-hidden="true">
                  {place + 1}
                </span>
                {nameOf(person)}
              </th>
              {annotators.map((other) => (
                <Cell
                  key={other.id}
                  pair={person.id === other.id ? null : kappas.get(`${person.id} ${other.id}`)}
                  title={t.personAndOther({ person: nameOf(person), other: nameOf(other) })}
                />
              ))}
              <td className={styles.mean}>
                {person.mean === null ? '—' : formatFigure(person.mean)}
                <small>{t.nItems({ nItems: formatCount(person.n_items) })}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const why: Record<NonNullable<AnnotatorKappa['reason_code']>, string> = {
  no_overlap: t.noneBoth,
  one_item: t.oneBoth,
  one_label: t.allSame,
  unequal_raters: t.notDefined,
  nominal_only: t.notDefined,
}

/** `pair` is null on the diagonal. */
function Cell({ pair, title }: { pair: AnnotatorKappa | null | undefined; title: string }) {
  if (pair === null) return <td className={styles.self} aria-hidden="true" />
  if (pair?.value == null) {
    const reason = pair?.reason_code ? why[pair.reason_code] : why.no_overlap
    return (
      <td className={styles.none} title={`${title}: ${reason}`}>
        —<small>{t.nItems({ nItems: formatCount(pair?.n_items ?? 0) })}</small>
        <span className="visually-hidden">, {reason}</span>
      </td>
    )
  }
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
      <small>{t.nItems({ nItems: formatCount(pair.n_items) })}</small>
      <span className="visually-hidden">, {interval}</span>
    </td>
  )
}
