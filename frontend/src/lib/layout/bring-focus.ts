/** Where nothing has the focus: it was with what is gone, or waits where a new page begins. */
const isAdrift = (active: Element | null): boolean =>
  active === null || active === document.body || active.id === 'page' || active.hasAttribute('data-step')

/**
 * Takes the focus along to what the keys act on now, which carries `data-step`, so that it is never lost when what had
 * it goes. Whoever has moved it to a button or a link keeps it there.
 */
export function bringFocus(step: HTMLElement | null | undefined): void {
  if (step && step !== document.activeElement && isAdrift(document.activeElement)) step.focus({ preventScroll: true })
}
