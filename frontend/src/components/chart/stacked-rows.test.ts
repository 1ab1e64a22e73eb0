import * as plot from '@observablehq/plot'
import { expect, test } from 'vitest'
import { stackedRows } from './stacked-rows'

const part = (size: number, said: string) => ({ size, fill: 'var(--good)', said })

test('parts lie end to end, and words that have no room stay out', () => {
  const rows = [{ name: '28 Nov', parts: [part(190, '190 done'), part(2, '2 left')], end: '192' }]
  const drawing = plot.plot(stackedRows(rows, { max: 192 })(plot, 400))
  const [first, second] = [...drawing.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('x')))
  expect(second).toBeGreaterThan(first ?? Infinity)
  expect(drawing.textContent).toContain('190 done')
  expect(drawing.textContent).toContain('192')
  expect(drawing.textContent).not.toContain('2 left')
})
