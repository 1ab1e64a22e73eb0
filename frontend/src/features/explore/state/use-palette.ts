import { useTokens } from '@/lib/theme/use-tokens'

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

export const usePalette = (): Palette => useTokens(tokens)
