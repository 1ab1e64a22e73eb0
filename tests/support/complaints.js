// What is wrong with the page as it stands, a sentence each; an empty list where nothing is. axe-core must be there.
async (asked) => {
  const root = document.documentElement
  const said = []
  const boxOf = (element) => element.getBoundingClientRect()
  const named = (element) =>
    `<${element.localName} class="${element.getAttribute('class') ?? ''}"> “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}”`
  const isSeen = (element) => {
    const box = boxOf(element)
    // What only screen readers see lies in a box of one pixel.
    const isHeard = [element.parentElement, element.parentElement?.parentElement].some((each) => each && boxOf(each).width === 1)
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1 && !isHeard
  }
  const elements = (selector) => [...document.querySelectorAll(selector)].filter(isSeen)
  const isOver = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null

  // Until a colour that was asked for has been painted.
  const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

  function headAndTitle() {
    const headings = document.querySelectorAll('h1')
    if (headings.length !== 1 && !isOver) said.push(`${headings.length} headings of the first level`)
    if (!/.+ · Connote$/.test(document.title)) said.push(`the title is “${document.title}”`)
  }

  function width() {
    if (root.scrollWidth > root.clientWidth) {
      const widest = elements('body *').filter((element) => boxOf(element).right > root.clientWidth + 1).slice(-1)
      said.push(`${root.scrollWidth} px wide in ${root.clientWidth}: ${widest.map(named)}`)
    }
  }

  // A phone shows a table's rows as blocks (components/ui/table): figures out of sight are not read. Tabs may scroll.
  function tables() {
    if (window.innerWidth > 640) return
    for (const table of elements('[role="grid"]')) {
      const wide = [table, table.parentElement].find((each) => each.scrollWidth > each.clientWidth + 1)
      if (wide) said.push(`${named(table)} is ${wide.scrollWidth} px wide in ${wide.clientWidth}`)
    }
  }

  // Text whose letters lie outside of a box that hides what leaves it, and does not say so by an ellipsis.
  function clippedText() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim() || !node.parentElement || !isSeen(node.parentElement)) continue
      range.selectNodeContents(node)
      const text = range.getBoundingClientRect()
      const by = text.width > 0 ? clipperOf(node.parentElement, text) : null
      if (by) said.push(`the text of ${named(node.parentElement)} is cut by ${named(by).slice(0, 60)}`)
    }
  }

  function clipperOf(element, text) {
    const goesOn = { x: true, y: true }
    for (let box = element; box && box !== root; box = box.parentElement) {
      const style = getComputedStyle(box)
      const frame = boxOf(box)
      if (style.position === 'fixed') return null
      if (style.clipPath !== 'none') return null
      if (style.textOverflow === 'ellipsis') goesOn.x = false
      if (style.webkitLineClamp !== 'none') goesOn.y = false
      if (/auto|scroll/.test(style.overflowX)) goesOn.x = false
      if (/auto|scroll/.test(style.overflowY)) goesOn.y = false
      if (goesOn.x && style.overflowX !== 'visible' && (text.left < frame.left - 2 || text.right > frame.right + 2)) return box
      if (goesOn.y && style.overflowY !== 'visible' && (text.top < frame.top - 2 || text.bottom > frame.bottom + 2)) return box
    }
    return null
  }

  // A window into text that shows less than two lines of it.
  function slits() {
    for (const element of elements('body *')) {
      const { overflowY } = getComputedStyle(element)
      const isShort = element.clientHeight < 64 && element.scrollHeight > element.clientHeight + 8
      if (/auto|scroll/.test(overflowY) && isShort && element.localName !== 'textarea')
        said.push(`${named(element)} scrolls in ${element.clientHeight} px`)
    }
  }

  const interactive =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=slider], [role=switch]'

  // WCAG 2.5.8: 24 px both ways, but for a link within a sentence; a label belongs to its control.
  function targets() {
    for (const element of elements(interactive)) {
      if (element.disabled || isInSentence(element)) continue
      const boxes = [element, element.closest('label'), ...(element.labels ?? [])].filter(Boolean).map(boxOf)
      const least = Math.max(...boxes.map((box) => Math.min(box.width, box.height)))
      if (least < 23.5) said.push(`${named(element)} is a target of ${least.toFixed(0)} px`)
    }
  }

  const isInSentence = (element) =>
    element.localName === 'a' && getComputedStyle(element).display === 'inline' &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')

  // Every stop of the Tab key shows that it has the focus, and lies where it can be seen.
  async function focus() {
    const before = document.activeElement
    const stops = elements(`${interactive}, [tabindex]`).filter(
      (element) => element.tabIndex >= 0 && !element.disabled && !element.closest('[inert], [aria-hidden=true]'),
    )
    before?.blur?.()
    await twoFrames()
    const held = document.activeElement
    const plain = new Map(stops.map((element) => [element, looksOf(element)]))
    for (const element of stops.slice(0, 80)) {
      element.focus()
      if (document.activeElement !== element || element === held) continue
      if (looksOf(element) === plain.get(element)) said.push(`${named(element)} does not show its focus`)
      if (isCovered(element)) said.push(`${named(element)} has the focus under something else`)
    }
    before?.focus?.({ preventScroll: true })
  }

  const looksOf = (element) =>
    [element, element.parentElement, element.parentElement.parentElement, element.nextElementSibling, ...(element.labels ?? [])]
      .filter(Boolean)
      .flatMap((each) => [getComputedStyle(each), getComputedStyle(each, '::after')])
      .map((style) => [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor].join())
      .join('|')

  function isCovered(element) {
    const box = boxOf(element)
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)]
    const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top]
    const points = [0.5, 0.15, 0.85].flatMap((x) => [0.5, 0.15, 0.85].map((y) => [left + x * width, top + y * height]))
    return !points.some(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return hit && (element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
    })
  }

  const nodeInWords = (node) => `${node.html.slice(0, 160)} (${node.failureSummary.replaceAll(/\s+/g, ' ')})`

  /** A bar that stays at the foot covers only what one can scroll away from it. Where it lies is no fault of the page. */
  function unstick() {
    const bars = [...document.querySelectorAll('body *')].filter((each) => {
      const { position, bottom } = getComputedStyle(each)
      return position === 'sticky' && bottom === '0px'
    })
    for (const bar of bars) bar.style.position = 'static'
    return bars
  }

  async function axeFinds() {
    const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const rules = { all: { runOnly: { type: 'tag', values } }, colours: { runOnly: ['color-contrast'] }, axe: {} }[asked.part]
    // A dialog hides the page behind it from screen readers, with its landmark and its heading.
    if (isOver) rules.rules = { 'landmark-one-main': { enabled: false }, 'page-has-heading-one': { enabled: false } }
    // What is read out for a moment names buttons that are gone by then.
    const what = { exclude: [['[data-live-announcer]']] }
    const stuck = unstick()
    const { violations } = await axe.run(what, { ...rules, resultTypes: ['violations'] })
    for (const bar of stuck) bar.style.position = ''
    said.push(...violations.map((each) => `axe ${each.id}: ${each.nodes.slice(0, 3).map(nodeInWords).join(' ')}`))
  }

  if (asked.part === 'focus') {
    await focus()
    return said
  }
  await twoFrames()
  await axeFinds()
  if (asked.part === 'all') {
    headAndTitle()
    width()
    tables()
    clippedText()
    slits()
    targets()
  }
  return said
}
