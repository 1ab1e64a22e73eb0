/** The field behind a button that lets people choose a file. */
export function fileField(within: HTMLElement): HTMLInputElement {
  const field = within.querySelector('input[type=file]')
  if (!(field instanceof HTMLInputElement)) throw new Error('There is no field for the file.')
  return field
}
