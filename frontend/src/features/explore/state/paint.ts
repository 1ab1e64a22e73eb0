import type { Cloud, Placed, Size } from './cloud'
import type { Palette } from './use-palette'

export interface View {
  x: number
  y: number
  /** How many times larger than the whole map. */
  k: number
}

export interface Scene {
  cloud: Cloud
  placed: Placed
  size: Size
  view: View
  /** So many of the first picks count as picked. */
  shown: number
  /** The point somebody looks at. */
  marked: number | null
  palette: Palette
  /** Device pixels in one of ours. */
  ratio: number
}

/** The very first picks are mostly outliers: they are ringed, so that they are seen as such. */
export const nRinged = 10

/** Radii in pixels: dots shrink where there are many, and grow slowly as one comes closer. */
export function radiiOf(count: number, { width, height }: Size, k: number): { left: number; picked: number } {
  const apart = Math.sqrt((width * height) / Math.max(1, count))
  const left = Math.min(5, Math.min(3, Math.max(0.9, 0.16 * apart)) * k ** 0.35)
  return { left, picked: left * 1.35 + 0.45 }
}

/** Draws the map once. Left images are squares, picks are discs: the two are told apart without colours too. */
export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, ratio, cloud, view } = scene
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  const radii = radiiOf(cloud.images.length, size, view.k)
  paintLeft(context, scene, radii.left)
  paintPicked(context, scene, radii.picked)
  paintRings(context, scene, radii.picked + 3)
  if (scene.marked !== null) paintMark(context, scene, scene.marked, radii.picked + 5)
}

function paintLeft(context: CanvasRenderingContext2D, scene: Scene, radius: number): void {
  const { cloud, placed, view, size, shown } = scene
  const side = 2 * radius
  context.fillStyle = scene.palette.left
  for (let index = 0; index < placed.xs.length; index += 1) {
    const position = cloud.positions[index] ?? 0
    if (position > 0 && position <= shown) continue
    const x = view.x + view.k * (placed.xs[index] ?? 0)
    const y = view.y + view.k * (placed.ys[index] ?? 0)
    if (x < -side || y < -side || x > size.width + side || y > size.height + side) continue
    context.fillRect(x - radius, y - radius, side, side)
  }
}

function paintPicked(context: CanvasRenderingContext2D, scene: Scene, radius: number): void {
  const { cloud, placed, view, size, shown } = scene
  const disc = discOf(radius, scene.palette, scene.ratio)
  const half = radius + 1
  // The last pick first, so that the early ones lie on top.
  for (let pick = Math.min(shown, cloud.picks.length) - 1; pick >= 0; pick -= 1) {
    const index = cloud.picks[pick] ?? 0
    const x = view.x + view.k * (placed.xs[index] ?? 0)
    const y = view.y + view.k * (placed.ys[index] ?? 0)
    if (x < -half || y < -half || x > size.width + half || y > size.height + half) continue
    context.drawImage(disc, x - half, y - half, 2 * half, 2 * half)
  }
}

let disc: { key: string; canvas: HTMLCanvasElement } | null = null

/** A disc with a hairline of the ground round it, drawn once and stamped thousands of times. */
function discOf(radius: number, palette: Palette, ratio: number): HTMLCanvasElement {
  const key = `${radius}/${palette.picked}/${palette.ground}/${ratio}`
  if (disc?.key === key) return disc.canvas
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.ceil(2 * (radius + 1) * ratio)
  const context = canvas.getContext('2d')
  if (context) {
    context.scale(canvas.width / (2 * (radius + 1)), canvas.height / (2 * (radius + 1)))
    fillDisc(context, radius + 1, radius + 0.8, palette.ground)
    fillDisc(context, radius + 1, radius, palette.picked)
  }
  disc = { key, canvas }
  return canvas
}

function fillDisc(context: CanvasRenderingContext2D, middle: number, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(middle, middle, radius, 0, 2 * Math.PI)
  context.fill()
}

function paintRings(context: CanvasRenderingContext2D, scene: Scene, radius: number): void {
  const { cloud, shown, palette } = scene
  context.lineWidth = 1.25
  context.strokeStyle = palette.text
  for (const index of cloud.picks.subarray(0, Math.min(nRinged, shown))) ring(context, scene, index, radius)
}

function paintMark(context: CanvasRenderingContext2D, scene: Scene, index: number, radius: number): void {
  context.lineWidth = 6
  context.strokeStyle = scene.palette.ground
  ring(context, scene, index, radius)
  context.lineWidth = 3
  context.strokeStyle = scene.palette.focus
  ring(context, scene, index, radius)
}

function ring(context: CanvasRenderingContext2D, { placed, view }: Scene, index: number, radius: number): void {
  const x = view.x + view.k * (placed.xs[index] ?? 0)
  const y = view.y + view.k * (placed.ys[index] ?? 0)
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.stroke()
}
