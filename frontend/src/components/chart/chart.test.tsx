import { useLocation } from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '@/testing/render-app'
import { Chart } from './chart'
import { asCsv, asSvg, fileName } from './chart-files'
import { bandedLine } from './chart-marks'
import type { ChartSpec, ChartTable } from './chart-types'

const days = [
  { at: new Date('2026-03-01'), value: 0.3, low: 0.2, high: 0.4 },
  { at: new Date('2026-03-02'), value: null, low: null, high: null },
  { at: new Date('2026-03-03'), value: 0.5, low: 0.4, high: 0.6 },
]
type Day = (typeof days)[number]

const spec: ChartSpec = (plot) => ({
  x: { type: 'utc' },
  y: { domain: [0, 1] },
  marks: [
    ...bandedLine(plot, days, { colour: 'var(--curve-1)', label: 'alpha' }),
    plot.ruleY([0], { href: () => '/projects/harbour/quality' }),
  ],
})

const table: ChartTable<Day> = {
  columns: [
    { title: 'Day', value: ({ at }) => at.toISOString().slice(0, 10), href: () => '/projects/harbour/quality' },
    { title: 'alpha', value: ({ value }) => value, format: (value) => value.toFixed(2) },
  ],
  rows: days,
}

function Where() {
  return <output>At {useLocation().pathname}</output>
}

const page = () =>
  renderPage(
    <>
      <Chart title="Agreement by day" spec={spec} table={table} n="n = 40" how="By day" hasLinks />
      <Where />
    </>,
  )

test('a chart is drawn with its name, without the style element that the site forbids', async () => {
  const { container } = page()
  const drawing = await screen.findByRole('group', { name: 'Agreement by day' }, { timeout: 15_000 })
  expect(drawing.querySelectorAll('style')).toHaveLength(0)
  // Two days have a figure, and the day between leaves a gap.
  expect(within(drawing).getByText('alpha')).toBeInTheDocument()
  expect(drawing.querySelectorAll('circle')).toHaveLength(2)
  expect(container.querySelector('figcaption')).toHaveTextContent('n = 40. By day')
})

test('its table has the same figures, on demand', async () => {
  const { user } = page()
  await user.click(await screen.findByText('Show as a table'))
  const rows = within(screen.getByRole('table', { name: 'Agreement by day' })).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Dayalpha',
    '2026-03-010.30',
    '2026-03-02—',
    '2026-03-030.50',
  ])
})

test('a link in a chart opens its page without loading the site anew', async () => {
  const { user } = page()
  await user.click(await screen.findByText('Show as a table'))
  await user.click(screen.getByRole('link', { name: '2026-03-01' }))
  expect(await screen.findByText('At /projects/harbour/quality')).toBeInTheDocument()
})

test('the CSV keeps raw numbers, and no spreadsheet runs a name as a formula', () => {
  const people: ChartTable<{ name: string; share: number | null }> = {
    columns: [
      { title: 'Name', value: ({ name }) => name },
      { title: 'Share', value: ({ share }) => share, format: () => 'never' },
    ],
    rows: [
      { name: '=HYPERLINK("x")', share: -0.25 },
      { name: 'Ann, "A"', share: null },
    ],
  }
  expect(asCsv(people)).toBe('Name,Share\r\n"\'=HYPERLINK(""x"")",-0.25\r\n"Ann, ""A""",\r\n')
})

test('an exported drawing stands alone: colours written out, title above, note below', async () => {
  page()
  document.documentElement.style.setProperty('--curve-1', '#1d5aa8')
  const drawing = await screen.findByRole('group', { name: 'Agreement by day' })
  const { text } = asSvg(drawing as unknown as SVGSVGElement, { title: 'A < B', note: 'n = 40' })
  expect(text).not.toContain('var(')
  expect(text).toContain('A &lt; B')
  expect(text).toContain('n = 40')
  expect(fileName('Agreement by day, 2026!', 'svg')).toBe('agreement-by-day-2026.svg')
})
