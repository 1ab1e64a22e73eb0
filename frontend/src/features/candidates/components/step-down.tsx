import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Funnel } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import type { Flow } from '../state/funnel-steps'
import { ruleWords } from '../state/rule-words'
import { colourOf, type Step, stepDownOf } from '../state/step-down'
import type { FunnelSearch } from './funnel-page'
import styles from './funnel-page.module.css'

export interface StepDownProps {
  slug: string
  flow: Flow
  funnel: Funnel
  search: FunnelSearch
}

/** What each rule took away, from all captions down to those that are kept; a bar leads to its examples. */
export function StepDown({ slug, flow, funnel, search: { source } }: StepDownProps) {
  const { buildLocation } = useRouter()
  const steps = useMemo(() => stepDownOf(flow, funnel, source), [flow, funnel, source])
  const sources = useMemo(() => funnel.sources.map((each) => each.source), [funnel])
  const addressOf = useMemo(
    () => (rule: string) =>
      buildLocation({
        to: '/projects/$slug/cleaning',
        params: { slug },
        search: { rule, ...(source && { source }) },
      }).href,
    [buildLocation, slug, source],
  )
  const spec = useMemo(() => specOf(steps, flow, sources, addressOf), [steps, flow, sources, addressOf])
  const dropped = flow.n_in - flow.n_new - flow.n_kept
  return (
    <Chart<Step>
      title={t.stepDown}
      spec={spec}
      hasLinks
      table={{
        columns: [
          { title: t.rule, value: ({ rule }) => ruleWords(rule).name, href: ({ rule }) => addressOf(rule) },
          { title: t.cameToRule, value: ({ before }) => before, format: formatCount },
          { title: t.dropped, value: ({ n }) => n, format: formatCount },
          { title: t.share, value: ({ n, before }) => (before ? n / before : null), format: formatShare },
          ...sources.map((each) => ({
            title: sourceName(each),
            value: ({ parts }: Step) => parts.find((part) => part.source === each)?.n ?? 0,
            format: formatCount,
          })),
        ],
        rows: steps,
      }}
      n={t.droppedOf({ dropped: formatCount(dropped), all: formatCount(flow.n_in) })}
      how={startOf(flow) > 0 ? t.howStepDownCut({ start: formatCount(startOf(flow)) }) : t.howStepDown}
      lead={
        sources.length > 1 && (
          <p className={styles.legend}>
            {sources.map((each, at) => (
              <span key={each}>
                <i style={{ background: colourOf(at) }} />
                {sourceName(each)}
              </span>
            ))}
          </p>
        )
      }
    />
  )
}

/** Where the axis starts: near what is kept, else small steps cannot be seen. Zero where much was dropped. */
function startOf({ n_in: all, n_kept: kept }: Flow): number {
  if (all === 0 || kept / all < 0.5 || kept === all) return 0
  const start = kept - 0.3 * (all - kept)
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(all - kept)) - 1)
  return Math.max(0, Math.floor(start / unit) * unit)
}

function specOf(
  steps: readonly Step[],
  flow: Flow,
  sources: readonly string[],
  addressOf: (rule: string) => string,
): ChartSpec {
  const start = startOf(flow)
  const ends = [
    { id: 'in', name: t.cameIn, n: flow.n_in },
    { id: 'kept', name: t.kept, n: flow.n_kept },
  ]
  const order = ['in', ...steps.map(({ rule }) => rule), 'kept']
  const names = new Map([...ends.map(({ id, name }) => [id, name] as const), ...steps.map(({ rule }) => [rule, ruleWords(rule).name] as const)])
  const parts = steps.flatMap((step) => step.parts.map((part) => ({ ...part, rule: step.rule })))
  const clip = (name: string): string => (name.length > 26 ? `${name.slice(0, 25)}…` : name)
  return (plot, width) => ({
    width,
    height: 40 + 26 * order.length,
    marginLeft: Math.min(190, width / 2.6),
    marginRight: Math.min(64, width / 5),
    marginTop: 4,
    marginBottom: 28,
    x: { domain: [start, Math.max(flow.n_in, start + 1)], ticks: 4, tickFormat: formatCount, label: null },
    y: { domain: order, label: null, tickSize: 0, tickFormat: (id: string) => clip(names.get(id) ?? id) },
    marks: [
      plot.gridX({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
      plot.barX(ends, { y: 'id', x1: start, x2: 'n', fill: 'var(--line-strong)', insetTop: 4, insetBottom: 4 }),
      plot.text(ends, { y: 'id', x: 'n', text: ({ n }: { n: number }) => formatCount(n), textAnchor: 'start', dx: 6 }),
      ...sources.map((source, at) =>
        plot.barX(
          parts.filter((part) => part.source === source),
          {
            y: 'rule',
            x1: 'x1',
            x2: 'x2',
            fill: colourOf(at),
            insetTop: 4,
            insetBottom: 4,
            href: ({ rule }: { rule: string }) => addressOf(rule),
            ariaLabel: ({ rule, n }: { rule: string; n: number }) =>
              `${ruleWords(rule).name}, ${sourceName(source)}: ${formatCount(n)}`,
          },
        ),
      ),
      plot.text(steps, {
        y: 'rule',
        x: 'before',
        text: ({ n }: Step) => `−${formatCount(n)}`,
        textAnchor: 'start',
        dx: 6,
      }),
    ],
  })
}
