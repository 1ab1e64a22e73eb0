/** Texts from anywhere as they can be shown: what cannot be seen has a sign, what is too long an end. */

const pictures = 0x2400
const shortAt = 500
// Cutting a little off a text that is only a little too long helps nobody.
const slack = 100

/** Control characters as their pictures (␀, ␛ ...), but for the white space that lines are broken at. */
export const printable = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- they are what this is for
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(pictures + code)
    return code === 0x7f ? '␡' : '�'
  })

export const isLong = (text: string): boolean => text.length > shortAt + slack

/** Where a long text is cut, between words where there are words; its end where it is not long. */
export function cutAt(text: string): number {
  if (!isLong(text)) return text.length
  const cut = text.slice(0, shortAt)
  const space = cut.lastIndexOf(' ')
  return (space > shortAt / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '').length
}

/** The beginning of a long text. */
export const shortened = (text: string): string => (isLong(text) ? `${text.slice(0, cutAt(text))} …` : text)
