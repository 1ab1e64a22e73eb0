/** How many photographs stand in one line of the grid as it is drawn now. */
export function columnsOf(grid: HTMLElement | null): number {
  const [first, ...rest] = Array.from(grid?.children ?? [])
  const top = first?.getBoundingClientRect().top ?? 0
  const below = rest.findIndex((cell) => cell.getBoundingClientRect().top > top + 1)
  return below < 0 ? rest.length + 1 : below + 1
}
