import { type RefObject, useEffect } from 'react'

const theOpenOne = '[aria-current="page"], [aria-selected="true"]'

/** Moves a line of tabs or links that scrolls sideways, so that the open one is in sight. The page does not move. */
export function useOpenInView(line: RefObject<HTMLElement | null>, open: string | undefined): void {
  useEffect(() => {
    const box = line.current
    const entry = box?.querySelector<HTMLElement>(theOpenOne)
    if (!box || !entry) return
    const [around, own] = [box.getBoundingClientRect(), entry.getBoundingClientRect()]
    box.scrollTo({ left: box.scrollLeft + own.left + own.width / 2 - around.left - around.width / 2 })
  }, [line, open])
}
