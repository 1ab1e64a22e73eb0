import { type RefObject, useEffect } from 'react'

const theOpenOne = '[aria-current="page"], [aria-selected="true"]'

/** Moves a line of tabs or links that scrolls sideways, so that the open one is in sight. The page does not move. */
export function useOpenInView(line: RefObject<HTMLElement | null>, open: string | undefined): void {
  useEffect(() => {
    bringIntoLine(line.current, line.current?.querySelector<HTMLElement>(theOpenOne))
  }, [line, open])
}

/** Scrolls the line so that the entry is in its middle, or as near to it as the line goes. */
export function bringIntoLine(line: HTMLElement | null, entry: HTMLElement | null | undefined): void {
  if (!line || !entry) return
  const [around, own] = [line.getBoundingClientRect(), entry.getBoundingClientRect()]
  line.scrollTo({ left: line.scrollLeft + own.left + own.width / 2 - around.left - around.width / 2 })
}
