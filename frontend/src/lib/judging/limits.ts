/** How much a person may say of one item: no field takes what the server would refuse (limits.test.ts). */

/** A caption that came longer may be shortened, but not be made longer. */
export const longestCaption = 2000
export const longestComment = 2000
/** Changes of one caption. */
export const mostEdits = 50
