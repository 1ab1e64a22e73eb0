import { useEffect, useState } from 'react'

const systemWishes = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']

function read<Name extends string>(tokens: Readonly<Record<Name, string>>): Record<Name, string> {
  const style = getComputedStyle(document.documentElement)
  const names = Object.keys(tokens) as Name[]
  const values = names.map((name) => [name, style.getPropertyValue(tokens[name]).trim() || 'currentcolor'] as const)
  return Object.fromEntries(values) as Record<Name, string>
}

/**
 * Colours out of the theme's tokens. A canvas does not follow a stylesheet: the tokens, a module constant, are read again
 * whenever the theme changes.
 */
export function useTokens<Name extends string>(tokens: Readonly<Record<Name, string>>): Record<Name, string> {
  const [values, setValues] = useState(() => read(tokens))
  useEffect(() => {
    const renew = () => setValues(read(tokens))
    const observer = new MutationObserver(renew)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const wishes = systemWishes.map((wish) => globalThis.matchMedia(wish))
    wishes.forEach((wish) => wish.addEventListener('change', renew))
    return () => {
      observer.disconnect()
      wishes.forEach((wish) => wish.removeEventListener('change', renew))
    }
  }, [tokens])
  return values
}
