import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { KeyCap } from './key-cap'
import styles from './tip-layer.module.css'

const restMs = 400
const gapPx = 6
const edgePx = 4

interface Tip {
  target: HTMLElement
  words: string
  keyName: string
}

/**
 * The name and the key of the button under the pointer, or of the one that the keyboard reached: of each element with
 * `data-tip`, and `data-tip-key`. One layer for all, as a tooltip for each button would weigh more than the buttons.
 * Screen readers hear both from the button itself.
 */
export function TipLayer() {
  const tip = useTip()
  const layer = useRef<HTMLDivElement>(null)
  usePlace(layer, tip)
  return (
    <div ref={layer} popover="manual" className={styles.tip} aria-hidden="true" data-react-aria-top-layer="true">
      {tip?.words}
      {tip?.keyName && <KeyCap keyName={tip.keyName} />}
    </div>
  )
}

function tipOf(at: EventTarget | null): Tip | null {
  const target = at instanceof Element ? at.closest<HTMLElement>('[data-tip]') : null
  return target && { target, words: target.dataset.tip ?? '', keyName: target.dataset.tipKey ?? '' }
}

/** Which one shows: at once where the keyboard comes, after a moment under a pointer; a press or Esc sends it away. */
function useTip(): Tip | null {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const hide = () => {
      clearTimeout(timer)
      setTip(null)
    }
    const point = (event: PointerEvent) => {
      hide()
      if (event.pointerType === 'touch') return
      const found = tipOf(event.target)
      if (found) timer = setTimeout(() => setTip(found), restMs)
    }
    const focus = ({ target }: FocusEvent) => {
      hide()
      if (target instanceof Element && target.matches(':focus-visible')) setTip(tipOf(target))
    }
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Tab' && key !== 'Shift') hide()
    }
    document.addEventListener('pointerover', point)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('focusin', focus)
    document.addEventListener('focusout', hide)
    document.addEventListener('keydown', press, true)
    document.addEventListener('scroll', hide, true)
    return () => {
      hide()
      document.removeEventListener('pointerover', point)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('scroll', hide, true)
    }
  }, [])
  return tip
}

function usePlace(layer: RefObject<HTMLElement | null>, tip: Tip | null): void {
  useLayoutEffect(() => {
    const element = layer.current
    if (!element || !tip?.target.isConnected) return undefined
    element.showPopover()
    place(element, tip.target.getBoundingClientRect())
    return () => element.hidePopover()
  }, [layer, tip])
}

/** Under the button, or over it where the page ends; over the full screen and over dialogs as well. */
function place(element: HTMLElement, button: DOMRect): void {
  const { width, height } = element.getBoundingClientRect()
  const x = button.left + button.width / 2 - width / 2
  const hasRoom = button.bottom + gapPx + height <= window.innerHeight
  const y = hasRoom ? button.bottom + gapPx : button.top - gapPx - height
  const mostX = window.innerWidth - width - edgePx
  element.style.translate = `${Math.max(edgePx, Math.min(x, mostX))}px ${Math.max(edgePx, y)}px`
}
