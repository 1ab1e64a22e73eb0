import { direction } from './language'

/** Whether this page is read from right to left. */
export const isRightToLeft = direction === 'rtl'

/** The arrow keys that lead on and back along a line of reading. */
export const readingKeys = (rightToLeft: boolean) =>
  rightToLeft
    ? ({ onward: 'ArrowLeft', back: 'ArrowRight' } as const)
    : ({ onward: 'ArrowRight', back: 'ArrowLeft' } as const)

export const { onward: onwardKey, back: backKey } = readingKeys(isRightToLeft)
