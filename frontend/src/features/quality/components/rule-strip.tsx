import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Habits, Person } from '@/lib/api/figures'
import type { PolicyRule } from '@/lib/api/served'
import { formatShare, formatTwoFigures } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { useHabits } from '../api/figures'
import { nameOf } from '../state/agreement-words'
import { collectorName, isEffect, ruleLimits, ruleParts, ruleSentence } from '../state/rules'
import styles from './policy-tab.module.css'

export interface RuleStripProps {
  slug: string
  rule: PolicyRule
}

interface Point {
  annotator: Person
  value: number
  n: number
}

const pointsOf = (habits: readonly Habits[], collector: string): Point[] =>
  habits.flatMap(({ annotator, measures }) =>
    measures.filter((each) => each.collector === collector).map(({ value, n }) => ({ annotator, value, n })),
  )

/** A rule as a sentence, above a dot for each annotator and the rule's line. */
export function RuleStrip({ slug, rule }: RuleStripProps) {
  return (
    <>
      <RuleWords rule={rule} />
      <RuleDots slug={slug} rule={rule} />
    </>
  )
}

function RuleWords({ rule }: { rule: PolicyRule }) {
  const { threshold, fewest, action } = ruleParts(rule)
  return (
    <p className={styles.sentence}>
      <Sentence
        of={ruleSentence(rule.collector)}
        parts={{ threshold: <b>{threshold}</b>, fewest: <b>{fewest}</b>, action: <b>{action}</b> }}
      />{' '}
      <span className={styles.muted}>{ruleLimits(rule).join(' ')}</span>
    </p>
  )
}

/** Where everybody is on what the rule measures, and which of them it reaches. */
export function RuleDots({ slug, rule }: { slug: string; rule: PolicyRule }) {
  const habits = useHabits(slug).data?.results
  const points = useMemo(() => pointsOf(habits ?? [], rule.collector), [habits, rule.collector])
  const { threshold = 0, min_n: fewest = 0 } = rule.condition
  const write = isEffect(rule) ? formatTwoFigures : formatShare
  const spec = useMemo(
    () => dotsOf(points, { threshold, fewest, write, path: (id) => `/projects/${slug}/quality/annotators/${id}` }),
    [points, threshold, fewest, write, slug],
  )
  if (points.length === 0) return null
  const nReached = points.filter((point) => isReached(point, threshold, fewest)).length
  return (
    <Chart<Point>
      title={collectorName(rule.collector)}
      isSub
      hasLinks
      spec={spec}
      table={{
        columns: [
          {
            title: t.annotator,
            value: ({ annotator }) => nameOf(annotator),
            href: ({ annotator }) => `/projects/${slug}/quality/annotators/${annotator.id}`,
          },
          { title: t.value, value: ({ value }) => value, format: write },
          { title: 'n', value: ({ n }) => n },
        ],
        rows: points,
      }}
      n={t.nPeopleReached({ people: t.peopleN({ n: points.length }), n: nReached })}
      how={t.howDots}
    />
  )
}

const isReached = ({ value, n }: Point, threshold: number, fewest: number): boolean => value >= threshold && n >= fewest

interface Line {
  threshold: number
  fewest: number
  write: (value: number) => string
  path: (id: number) => string
}

function dotsOf(points: readonly Point[], { threshold, fewest, write, path }: Line): ChartSpec {
  const reached = points.filter((point) => isReached(point, threshold, fewest))
  const title = ({ annotator, value, n }: Point) => t.dotOf({ name: nameOf(annotator), value: write(value), n })
  const most = Math.max(threshold, ...points.map(({ value }) => value))
  return (plot, width) => ({
    width,
    height: 84,
    marginLeft: 12,
    marginRight: 60,
    marginTop: 18,
    marginBottom: 24,
    x: { domain: [0, Math.min(1, most * 1.15)], tickFormat: write, ticks: 5, label: null },
    y: { axis: null },
    marks: [
      plot.rectX([0], { x1: threshold, x2: Math.min(1, most * 1.15), fill: 'var(--curve-2)', fillOpacity: 0.1 }),
      plot.ruleX([threshold], { stroke: 'var(--curve-2)', strokeWidth: 2 }),
      plot.text([threshold], {
        x: (at: number) => at,
        frameAnchor: 'top',
        dy: -10,
        text: () => t.ruleLine({ threshold: write(threshold) }),
        fill: 'var(--curve-2)',
      }),
      plot.dot(
        points,
        plot.dodgeY({
          x: 'value',
          anchor: 'middle',
          r: 5,
          fill: (point: Point) => (isReached(point, threshold, fewest) ? 'var(--curve-2)' : 'var(--curve-1)'),
          fillOpacity: (point: Point) => (point.n < fewest ? 0.25 : 0.85),
          stroke: 'var(--ground)',
          href: ({ annotator }: Point) => path(annotator.id),
          title,
          ariaLabel: title,
        }),
      ),
      plot.text(reached, {
        x: 'value',
        frameAnchor: 'bottom',
        dy: -4,
        text: ({ annotator }: Point) => nameOf(annotator),
        fill: 'var(--text)',
      }),
    ],
  })
}
