import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { cx } from '@/components/ui/cx'
import { Disclosure } from '@/components/ui/disclosure'
import { KeyFigures } from '@/components/ui/key-figures'
import type { Habits, Person } from '@/lib/api/figures'
import type { PolicyRule } from '@/lib/api/served'
import { formatCount, formatShare, formatTwoFigures } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { useHabits } from '../api/figures'
import { nameOf } from '../state/agreement-words'
import { collectorName, isEffect, ruleLimits, ruleParts, ruleSentence } from '../state/rules'
import styles from './rule-strip.module.css'

interface Point {
  annotator: Person
  value: number
  n: number
}

const pointsOf = (habits: readonly Habits[], collector: string): Point[] =>
  habits.flatMap(({ annotator, measures }) =>
    measures.filter((each) => each.collector === collector).map(({ value, n }) => ({ annotator, value, n })),
  )

/** How many annotators are over the line of a rule now, and how often the version was applied. */
export function RuleFigures({
  slug,
  rules,
  nUses,
}: {
  slug: string
  rules: readonly PolicyRule[]
  nUses?: number | undefined
}) {
  const habits = useHabits(slug).data?.results ?? []
  const isOver = ({ measures }: Habits) =>
    rules.some((rule) => measures.some((each) => each.collector === rule.collector && isReached(rule, each)))
  return (
    <KeyFigures
      figures={[
        {
          name: t.peopleOverLine,
          value: formatCount(habits.filter(isOver).length),
          detail: t.outOfPeople({ n: habits.length }),
        },
        { name: t.rules, value: formatCount(rules.length) },
        ...(nUses === undefined ? [] : [{ name: t.timesApplied, value: formatCount(nUses) }]),
      ]}
    />
  )
}

export interface RuleRowProps {
  slug: string
  rule: PolicyRule
  /** The rule's sentence, to read or with fields in it. */
  children: ReactNode
}

/** A rule: its sentence, where all annotators are on what it measures, and who is over its line now. */
export function RuleRow({ slug, rule, children }: RuleRowProps) {
  const habits = useHabits(slug).data?.results
  const points = useMemo(() => pointsOf(habits ?? [], rule.collector), [habits, rule.collector])
  return (
    <div className={styles.row}>
      <div className={styles.words}>{children}</div>
      {points.length > 0 && (
        <>
          <DotLine rule={rule} points={points} />
          <Reached slug={slug} rule={rule} points={points} />
          <Disclosure summary={t.figuresOfAll} className={styles.all}>
            <RuleChart slug={slug} rule={rule} points={points} />
          </Disclosure>
        </>
      )}
    </div>
  )
}

/** "When failed test questions reach 70% of at least 4: exclude." and what else limits it. */
export function RuleWords({ rule }: { rule: PolicyRule }) {
  const { threshold, fewest, action } = ruleParts(rule)
  const limits = ruleLimits(rule)
  return (
    <>
      <p className={styles.sentence}>
        <Sentence
          of={ruleSentence(rule.collector)}
          parts={{ threshold: <b>{threshold}</b>, fewest: <b>{fewest}</b>, action: <b>{action}</b> }}
        />
      </p>
      {limits.length > 0 && <p className={styles.note}>{limits.join(' ')}</p>}
    </>
  )
}

interface PartProps {
  rule: PolicyRule
  points: readonly Point[]
}

const writeOf = (rule: PolicyRule) => (isEffect(rule) ? formatTwoFigures : formatShare)

const isReached = ({ condition }: PolicyRule, { value, n }: Pick<Point, 'value' | 'n'>): boolean =>
  value >= (condition.threshold ?? 0) && n >= (condition.min_n ?? 0)

/** "n = 4 people, 1 over the line" */
const reachedInWords = (rule: PolicyRule, points: readonly Point[]): string =>
  t.nPeopleReached({
    people: t.peopleN({ n: points.length }),
    n: points.filter((point) => isReached(rule, point)).length,
  })

const mostOf = ({ condition }: PolicyRule, points: readonly Point[]): number =>
  Math.min(1, Math.max(condition.threshold ?? 0, ...points.map(({ value }) => value)) * 1.15)

/** As high as a line of text: a dot for each annotator, dots of one place over each other, and the rule's line. */
function DotLine({ rule, points }: PartProps) {
  const { threshold = 0, min_n: fewest = 0 } = rule.condition
  const most = mostOf(rule, points) || 1
  // A dot at 0 keeps its place inside of the line.
  const at = (value: number) => `${2 + (value / most) * 98}%`
  const write = writeOf(rule)
  const nAt = new Map<number, number>()
  const dots = points.map((point) => {
    const place = Math.round((point.value / most) * 40)
    const below = nAt.get(place) ?? 0
    nAt.set(place, below + 1)
    return { point, below }
  })
  return (
    <div className={styles.dots} role="img" aria-label={reachedInWords(rule, points)}>
      <span className={styles.zone} style={{ insetInlineStart: at(threshold) }} />
      {dots.map(({ point, below }) => (
        <span
          key={point.annotator.id}
          className={cx(styles.dot, isReached(rule, point) && styles.reached, point.n < fewest && styles.pale)}
          style={{ insetInlineStart: at(point.value), insetBlockEnd: `${Math.min(below, 4) * 5 + 3}px` }}
        />
      ))}
      <span className={styles.mark} style={{ insetInlineStart: at(threshold) }}>
        {write(threshold)}
      </span>
    </div>
  )
}

const nNamed = 3

/** Who is over the line now; without anybody, how near the nearest is. */
function Reached({ slug, rule, points }: PartProps & { slug: string }) {
  const write = writeOf(rule)
  const reached = points.filter((point) => isReached(rule, point)).sort((a, b) => b.value - a.value)
  if (reached.length === 0) {
    return (
      <p className={styles.reach}>
        <span className={styles.note}>
          {t.nobodyNow} {t.highestIs({ value: write(Math.max(...points.map(({ value }) => value))) })}
        </span>
      </p>
    )
  }
  return (
    <ul className={styles.reach} aria-label={t.overLineNow}>
      {reached.slice(0, nNamed).map(({ annotator, value }) => (
        <li key={annotator.id}>
          <Link
            to="/projects/$slug/quality/annotators/$annotatorId"
            params={{ slug, annotatorId: String(annotator.id) }}
          >
            {nameOf(annotator)}
          </Link>{' '}
          <b>{write(value)}</b>
        </li>
      ))}
      {reached.length > nNamed && <li className={styles.note}>{t.andMore({ n: reached.length - nNamed })}</li>}
    </ul>
  )
}

/** The same dots with an axis, the names, a table and files. */
function RuleChart({ slug, rule, points }: PartProps & { slug: string }) {
  const path = useCallback((id: number) => `/projects/${slug}/quality/annotators/${id}`, [slug])
  const spec = useMemo(() => dotsOf(rule, points, path), [rule, points, path])
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
            href: ({ annotator }) => path(annotator.id),
          },
          { title: t.value, value: ({ value }) => value, format: writeOf(rule) },
          { title: 'n', value: ({ n }) => n },
        ],
        rows: points,
      }}
      n={reachedInWords(rule, points)}
      how={t.howDots}
    />
  )
}

function dotsOf(rule: PolicyRule, points: readonly Point[], path: (id: number) => string): ChartSpec {
  const { threshold = 0, min_n: fewest = 0 } = rule.condition
  const write = writeOf(rule)
  const reached = points.filter((point) => isReached(rule, point))
  const title = ({ annotator, value, n }: Point) => t.dotOf({ name: nameOf(annotator), value: write(value), n })
  const most = mostOf(rule, points)
  return (plot, width) => ({
    width,
    height: 84,
    marginLeft: 12,
    marginRight: 60,
    marginTop: 18,
    marginBottom: 24,
    x: { domain: [0, most], tickFormat: write, ticks: 5, label: null },
    y: { axis: null },
    marks: [
      plot.rectX([0], { x1: threshold, x2: most, fill: 'var(--curve-2)', fillOpacity: 0.1 }),
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
          fill: (point: Point) => (isReached(rule, point) ? 'var(--curve-2)' : 'var(--curve-1)'),
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
