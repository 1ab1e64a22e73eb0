import type { PageOfActions } from './action'
import { keyCap } from './keys'

/** The verbs whose name has these words, in any order, or that have this very key; all of a page so named. */
export function findKeys(pages: readonly PageOfActions[], sought: string): PageOfActions[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const key = sought.trim().toLowerCase()
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return pages
    .map(({ page, actions }) => ({
      page,
      actions: hasAll(page)
        ? actions
        : actions.filter(({ name, keys }) => hasAll(name) || keys.some((each) => keyCap(each).toLowerCase() === key)),
    }))
    .filter(({ actions }) => actions.length > 0)
}
