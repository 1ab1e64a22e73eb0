import { useEffect, useState } from 'react'

/** The colours of the map, out of the theme's tokens. */
export interface Palette {
  left: string
  picked: string
  text: string
  ground: string
  focus: string
}

const tokens: Record<keyof Palette, string> = {
  left: '--dot',
  picked: '--accent',
  text: '--text',
  ground: '--surface',
  focus: '--focus',
}

const systemWishes = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']

function read(): Palette {
  const style = getComputedStyle(document.documentElement)
  const valueOf = (name: keyof Palette): string => style.getPropertyValue(tokens[name]).trim() || 'currentcolor'
  return {
    left: valueOf('left'),
    picked: valueOf('picked'),
    text: valueOf('text'),
    ground: valueOf('ground'),
    focus: valueOf('focus'),
  }
}

/** A canvas does not follow a stylesheet: the tokens are read again whenever the theme changes. */
export function usePalette(): Palette {
  const [palette, setPalette] = useState(read)
  useEffect(() => {
    const renew = () => setPalette(read())
    const observer = new MutationObserver(renew)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const wishes = systemWishes.map((wish) => globalThis.matchMedia(wish))
    wishes.forEach((wish) => wish.addEventListener('change', renew))
    return () => {
      observer.disconnect()
      wishes.forEach((wish) => wish.removeEventListener('change', renew))
    }
  }, [])
  return palette
}
