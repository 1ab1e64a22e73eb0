import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useWidth } from '@/lib/layout/use-width'
import { t } from '@/messages/chart'
import { Disclosure } from '../ui/disclosure'
import { Menu } from '../ui/menu'
import { showToast } from '../ui/toast-store'
import { IconTrigger } from '../ui/trigger-button'
import { asCsv, asPng, asSvg, fileName, save } from './chart-files'
import { ChartRows } from './chart-rows'
import type { ChartSpec, ChartTable, PlotLibrary } from './chart-types'
import styles from './chart.module.css'

export interface ChartProps<Row> {
  title: string
  /** What to draw. Pass the same function while the data are the same (`useCallback`), else each render draws it again. */
  spec: ChartSpec
  table: ChartTable<Row>
  /** How many cases the figures are from: "n = 1,180 pairs". */
  n: string
  /** How the figures are made, in one sentence. */
  how: string
  /** The drawing has links in it (`href`), which people reach by keyboard. */
  hasLinks?: boolean
  /** A smaller title, for a chart inside a section that has a title. */
  isSub?: boolean
  /** Filters or links next to the title. */
  actions?: ReactNode
  /** What the drawing comes to, in a figure or a sentence above it. */
  lead?: ReactNode
}

/**
 * A drawing by Observable Plot with its title, its table on demand, how it was made, and its files. The library is
 * loaded with the first chart that is shown. Nothing in it moves.
 */
export function Chart<Row>(props: ChartProps<Row>) {
  const { title, spec, table, n, how, hasLinks = false, isSub = false, actions, lead } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const open = useOpenLink()
  const hasFailed = useDrawing(place, spec, { title, hasLinks })
  const note = `${n}. ${how}`
  const drawn = () => place.current?.querySelector('svg') ?? null
  const saveAs = async (kind: 'svg' | 'png' | 'csv') => {
    const svg = drawn()
    if (kind === 'csv') save(asCsv(table), 'text/csv;charset=utf-8', fileName(title, kind))
    else if (svg && kind === 'svg') save(asSvg(svg, { title, note }).text, 'image/svg+xml', fileName(title, kind))
    else if (svg) save(await asPng(svg, { title, note }), 'image/png', fileName(title, kind))
  }
  const export_ = (kind: 'svg' | 'png' | 'csv') => void saveAs(kind).catch(() => showToast(t.notSaved, 'bad'))
  const Heading = isSub ? 'h3' : 'h2'
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <header className={styles.header}>
        <Heading id={id} className={isSub ? styles.subtitle : styles.title}>
          {title}
        </Heading>
        {actions}
        <Menu
          label={t.exportTitled({ title })}
          trigger={<IconTrigger icon="download" aria-label={t.exportTitled({ title })} />}
          entries={[
            { id: 'svg', label: 'SVG', isDisabled: hasFailed, onAction: () => export_('svg') },
            { id: 'png', label: 'PNG', isDisabled: hasFailed, onAction: () => export_('png') },
            { id: 'csv', label: 'CSV', onAction: () => export_('csv') },
          ]}
        />
      </header>
      {lead}
      {/* Links are inside; the listener only keeps them from reloading the site. */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div ref={place} className={styles.drawing} onClick={open} />
      {hasFailed && <p className={styles.note}>{t.notDrawn}</p>}
      <figcaption className={styles.note}>
        <span className={styles.n}>{n}.</span> {how}
      </figcaption>
      <Disclosure summary={t.asTable} {...(hasFailed && { isOpen: true })}>
        <ChartRows label={title} table={table} onOpen={open} />
      </Disclosure>
    </figure>
  )
}

/** Follows a link in the drawing or the table without loading the site again. */
function useOpenLink() {
  const { history } = useRouter()
  return (event: MouseEvent) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null
    const href = anchor?.getAttribute('href') ?? anchor?.getAttributeNS('http://www.w3.org/1999/xlink', 'href')
    if (!href?.startsWith('/') || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    history.push(href)
  }
}

const leastWidth = 200

/** Draws into the place, again when its width or what to draw changes; true when the library could not be loaded. */
function useDrawing(
  place: RefObject<HTMLElement | null>,
  spec: ChartSpec,
  { title, hasLinks }: { title: string; hasLinks: boolean },
): boolean {
  const [library, setLibrary] = useState<PlotLibrary | 'failed' | null>(null)
  const width = useWidth(place)
  useEffect(() => {
    void import('./library').then(setLibrary, () => setLibrary('failed'))
  }, [])
  useEffect(() => {
    const box = place.current
    if (!box || !library || library === 'failed') return
    // While a page is laid out its boxes can be narrower than a drawing's margins.
    const room = Math.max(width || 640, leastWidth)
    const made = library.plot({ width: room, ...spec(library, room) })
    const svg = made instanceof SVGSVGElement ? made : made.querySelector('svg')
    if (!svg) return
    // The site forbids style elements; chart.module.css says the same.
    svg.querySelectorAll('style').forEach((style) => style.remove())
    // Plot names its groups of marks, which have no role and so may have no name.
    svg.querySelectorAll('g[aria-label]').forEach((group) => group.removeAttribute('aria-label'))
    // A drawing with links is a group, since nothing inside an image can be reached.
    svg.setAttribute('role', hasLinks ? 'group' : 'img')
    svg.setAttribute('aria-label', title)
    box.replaceChildren(svg)
    return () => box.replaceChildren()
  }, [place, library, spec, width, title, hasLinks])
  return library === 'failed'
}
