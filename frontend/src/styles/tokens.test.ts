import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync('src/styles/tokens.css', 'utf8')

/** The custom properties of the first rule whose selector contains `selector`. */
function tokensOf(selector: string): Record<string, string> {
  const body = css.slice(css.indexOf('{', css.indexOf(selector)) + 1)
  const rule = body.slice(0, body.indexOf('}'))
  const pairs = [...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const pairs: readonly [string, string][] = [
  ...['ground', 'surface', 'sunk'].flatMap((ground): [string, string][] => [
    ['text', ground],
    ['text-muted', ground],
    ['accent', ground],
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['accent', 'accent-soft'],
  ['text', 'accent-soft'],
  ...['good', 'bad', 'unsure'].flatMap((label): [string, string][] => [
    [label, 'ground'],
    [label, 'surface'],
    [label, `${label}-soft`],
    ['text', `${label}-soft`],
    ['on-label', label],
  ]),
  ...['curve-1', 'curve-2', 'curve-3'].map((curve): [string, string] => [curve, 'ground']),
  ['on-mat', 'mat'],
]

describe.each(["data-theme='light']", ':not([data-theme])', "data-theme='dark']", "data-theme='contrast']"])(
  '%s',
  (selector) => {
    const tokens = tokensOf(selector)

    test.each(pairs)('%s on %s can be read', (text, ground) => {
      expect(contrast(tokens[text] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
    })
  },
)

test('dark by choice and dark by the system are the same colours', () => {
  expect(tokensOf(':not([data-theme])')).toEqual(tokensOf("data-theme='dark']"))
})

test('more contrast by choice and more contrast by the system are the same colours', () => {
  expect(tokensOf(':not(:empty)')).toEqual(tokensOf("data-theme='contrast']"))
})

test('where the person has forced colours, every colour is one of theirs', () => {
  const forced = tokensOf(':root:root:root')
  expect(Object.keys(forced)).toEqual(Object.keys(tokensOf("data-theme='contrast']")))
  Object.values(forced).forEach((colour) =>
    expect(colour).toMatch(/^(0 0 0 2px )?(Canvas|CanvasText|LinkText|GrayText|Highlight|HighlightText)$/),
  )
})
