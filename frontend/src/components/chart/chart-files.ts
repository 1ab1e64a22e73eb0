import type { ChartTable } from './chart-types'

const margin = 16
const lineHeight = 18

export interface Words {
  title: string
  /** n and how the figures are made. */
  note: string
}

/** The drawing as a file of its own: colours and fonts written out, its title above, its note below. */
export function asSvg(drawn: SVGSVGElement, { title, note }: Words): { text: string; width: number; height: number } {
  const page = getComputedStyle(drawn)
  const colour = (name: string) => page.getPropertyValue(name).trim()
  const copy = drawn.cloneNode(true) as SVGSVGElement
  copy.querySelectorAll('[aria-label="tip"]').forEach((tip) => tip.remove())
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes('var('))
        element.setAttribute(
          name,
          value.replace(/var\((--[\w-]+)\)/g, (_, token: string) => colour(token)),
        )
    }
  }
  const { width, height } = drawn.viewBox.baseVal
  const lines = wrap(note, Math.floor(width / 6.5))
  const above = lineHeight + margin
  const full = { width: width + 2 * margin, height: above + height + lines.length * lineHeight + 2 * margin }
  const set = (element: Element, attributes: Record<string, string | number>) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
    return element
  }
  set(copy, {
    ...full,
    viewBox: `${-margin} ${-above - margin} ${full.width} ${full.height}`,
    color: page.color,
    'font-family': page.fontFamily,
    'font-size': page.fontSize,
  })
  copy.removeAttribute('class')
  const make = (name: string, attributes: Record<string, string | number>, text = '') => {
    const element = set(document.createElementNS('http://www.w3.org/2000/svg', name), attributes)
    element.textContent = text
    return element
  }
  const ground = { x: -margin, y: -above - margin, width: full.width, height: full.height, fill: colour('--surface') }
  copy.prepend(
    make('title', {}, title),
    make('rect', ground),
    make('text', { x: 0, y: -margin, 'text-anchor': 'start', 'font-size': 15, 'font-weight': 600 }, title),
  )
  lines.forEach((line, place) =>
    copy.append(make('text', { x: 0, y: height + margin + place * lineHeight, 'text-anchor': 'start' }, line)),
  )
  return { text: new XMLSerializer().serializeToString(copy), ...full }
}

/** Lines of at most so many characters, broken between words. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The same drawing in pixels, two for each of the page's. Throws when the browser cannot paint it. */
export async function asPng(drawn: SVGSVGElement, words: Words): Promise<Blob> {
  const { text, width, height } = asSvg(drawn, words)
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * 2
    canvas.height = height * 2
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    if (!blob) throw new Error('The canvas gave no image.')
    return blob
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front, as in the server's files. */
function field(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function asCsv<Row>({ columns, rows }: ChartTable<Row>): string {
  const lines = [
    columns.map(({ title }) => field(title)),
    ...rows.map((row) => columns.map((column) => field(column.value(row)))),
  ]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}

/** "Agreement by day" becomes agreement-by-day.svg. */
export const fileName = (title: string, kind: string): string =>
  `${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')}.${kind}`

export function save(content: BlobPart, type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  // A browser may read the address after the click has ended.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
