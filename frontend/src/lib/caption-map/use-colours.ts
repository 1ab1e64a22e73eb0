import { useMemo } from 'react'
import { useTokens } from '@/lib/theme/use-tokens'
import type { Entry } from './columns'

export type Rgb = readonly [number, number, number]

const tokens = {
  '1': '--map-1',
  '2': '--map-2',
  '3': '--map-3',
  '4': '--map-4',
  '5': '--map-5',
  '6': '--map-6',
  '7': '--map-7',
  low: '--step-1',
  second: '--step-2',
  third: '--step-3',
  high: '--step-4',
  other: '--text-muted',
  none: '--map-none',
  focus: '--focus',
}
type Token = keyof typeof tokens
const steps: readonly Token[] = ['low', 'second', 'third', 'high']

/** The three bytes of a colour, whatever way a theme writes it. */
function bytesOf(colour: string): Rgb {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.fillStyle = colour
  const written = /^#[\da-f]{6}$/i.test(colour) ? colour : context?.fillStyle
  const hex = typeof written === 'string' ? written : ''
  const [red = 128, green = 128, blue = 128] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
  return Number.isNaN(red) ? [128, 128, 128] : [red, green, blue]
}

export interface MapColours {
  of: (entry: Entry) => Rgb
  focus: Rgb
}

/** The colours of the theme, in bytes as the graphics card takes them. */
export function useColours(): MapColours {
  const values = useTokens(tokens)
  return useMemo(() => {
    const bytes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bytesOf(value)])) as Record<
      Token,
      Rgb
    >
    const onScale = (share: number): Rgb => {
      const at = share * (steps.length - 1)
      const from = Math.min(Math.floor(at), steps.length - 2)
      const [low, high] = [bytes[steps[from] ?? 'low'], bytes[steps[from + 1] ?? 'high']]
      const mix = (channel: 0 | 1 | 2) => Math.round(low[channel] + (high[channel] - low[channel]) * (at - from))
      return [mix(0), mix(1), mix(2)]
    }
    const of = ({ tint }: Entry): Rgb => {
      if (typeof tint === 'string') return bytes[tint]
      return 'colour' in tint ? bytes[String(tint.colour + 1) as Token] : onScale(tint.share)
    }
    return { of, focus: bytes.focus }
  }, [values])
}

export const css = (rgb: Rgb): string => `rgb(${rgb.join(' ')})`
