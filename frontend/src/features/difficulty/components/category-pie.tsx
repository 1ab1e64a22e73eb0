import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { DifficultyPolicy } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { categoryColours, categoryWords, cutsInWords, ruleName, type SliceRow, slicesOf } from '../state/categories'

/** The pie of easy, medium and hard, with words and figures at each slice. */
export function CategoryPie({ policy, nModels }: { policy: DifficultyPolicy; nModels: number }) {
  const rows = useMemo(() => slicesOf(policy), [policy])
  const spec = useMemo(() => pieOf(rows), [rows])
  const n = rows.reduce((sum, row) => sum + row.n, 0)
  return (
    <Chart<SliceRow>
      title={t.byCategory}
      spec={spec}
      table={{
        columns: [
          { title: t.category, value: ({ slice }) => categoryWords[slice] },
          { title: t.captions, value: (row) => row.n, format: formatCount },
          { title: t.share, value: ({ share }) => share, format: formatShare },
        ],
        rows,
      }}
      n={t.nCaptions({ n })}
      how={t.howPie({ rule: `${ruleName(policy.policy)} (${cutsInWords(policy)})`, models: nModels })}
    />
  )
}

const height = 260
const radius = 96

interface Arc extends SliceRow {
  from: number
  to: number
}

/** Each slice with its angles, clockwise from the top. */
export function arcsOf(rows: readonly SliceRow[]): Arc[] {
  let from = 0
  return rows.map((row) => {
    const arc = { ...row, from, to: from + row.share * 2 * Math.PI }
    from = arc.to
    return arc
  })
}

const at = (angle: number, far: number): [number, number] => [Math.sin(angle) * far, -Math.cos(angle) * far]

const svgOf = (name: string, attributes: Record<string, string | number>, text = ''): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  return element
}

/** Plot has no mark for slices, so they are drawn here: one circle where one category has everything. */
function drawPie(rows: readonly SliceRow[], width: number): SVGElement {
  const group = svgOf('g', { transform: `translate(${String(width / 2)},${String(height / 2)})` })
  for (const { slice, n, share, from, to } of arcsOf(rows).filter((arc) => arc.n > 0)) {
    const look = { fill: categoryColours[slice], stroke: 'var(--ground)', 'stroke-width': 2 }
    const [x1, y1] = at(from, radius)
    const [x2, y2] = at(to, radius)
    const isLarge = to - from > Math.PI ? 1 : 0
    group.append(
      share > 0.9999
        ? svgOf('circle', { r: radius, ...look })
        : svgOf('path', {
            d: `M0,0L${String(x1)},${String(y1)}A${String(radius)},${String(radius)} 0 ${String(isLarge)} 1 ${String(x2)},${String(y2)}Z`,
            ...look,
          }),
    )
    const [x, y] = at(share > 0.9999 ? Math.PI / 2 : (from + to) / 2, radius + 12)
    const anchor = Math.abs(x) < 20 ? 'middle' : x > 0 ? 'start' : 'end'
    // Centred words above a slice end where it starts; those under it start where it ends.
    const lift = anchor === 'middle' ? (y < 0 ? -14 : 8) : 0
    const words = { x, 'text-anchor': anchor, fill: 'var(--text)', 'font-size': 12 }
    group.append(
      svgOf('text', { y: y - 2 + lift, ...words, 'font-weight': 600 }, categoryWords[slice]),
      svgOf('text', { y: y + 12 + lift, ...words }, `${formatCount(n)} · ${formatShare(share)}`),
    )
  }
  return group
}

const pieOf =
  (rows: readonly SliceRow[]): ChartSpec =>
  (_, width) => ({ width, height, marks: [() => drawPie(rows, width)] })
