/** One perceptual scale from dark to light, viridis by five of its stops; text on it is black or white, as reads better. */
const stops: readonly (readonly [number, number, number])[] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]

type Rgb = readonly [number, number, number]

/** The colour of a share from 0 to 1; what lies outside is drawn as the end it passed. */
export function heatColour(share: number): Rgb {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1)
  const from = Math.min(Math.floor(at), stops.length - 2)
  const mix = (channel: 0 | 1 | 2) => {
    const [low, high] = [stops[from]?.[channel] ?? 0, stops[from + 1]?.[channel] ?? 0]
    return Math.round(low + (high - low) * (at - from))
  }
  return [mix(0), mix(1), mix(2)]
}

const linear = (channel: number) => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** Black or white, whichever stands out more; one of them always has a contrast of at least 4.5. */
export const inkOn = (colour: Rgb): 'black' | 'white' =>
  (luminance(colour) + 0.05) / 0.05 > 1.05 / (luminance(colour) + 0.05) ? 'black' : 'white'

export const css = (colour: Rgb): string => `rgb(${colour.join(' ')})`
