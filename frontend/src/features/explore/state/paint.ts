import type { Placed, Size, View } from '@/components/point-map/place'
import type { Cloud } from './cloud'
import type { Palette } from './use-palette'

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
  /** A colour for each point; null where only the sample tells them apart. */
  colours?: readonly string[] | null
  /** Device pixels in one of ours. */
  ratio: number
}

/** The first picks are mostly outliers. A ring marks them. */
export const nRinged = 10

/** Radii in pixels: dots shrink where there are many, and grow slowly as one comes closer. */
export function radiiOf(count: number, { width, height }: Size, k: number): { left: number; picked: number } {
  const apart = Math.sqrt((width * height) / Math.max(1, count))
  const left = Math.min(5, Math.min(3, Math.max(0.9, 0.16 * apart)) * k ** 0.35)
  return { left, picked: left * 1.35 + 0.45 }
}

/** How far dots are drawn beyond the window, in pixels. */
interface Margin {
  x: number
  y: number
}

const none: Margin = { x: 0, y: 0 }

/** Left images are squares, picks are discs: the two are told apart without colours too. */
export function paintDots(context: CanvasRenderingContext2D, scene: Scene, margin: Margin = none): void {
  const radii = radiiOf(scene.cloud.images.length, scene.size, scene.view.k)
  paintLeft(context, scene, radii.left, margin)
  paintPicked(context, scene, radii.picked, margin)
}

/** What lies over the dots: the first picks, and the one that is looked at. */
export function paintSigns(context: CanvasRenderingContext2D, scene: Scene): void {
  const { picked } = radiiOf(scene.cloud.images.length, scene.size, scene.view.k)
  paintRings(context, scene, picked + 3)
  if (scene.marked !== null) paintMark(context, scene, scene.marked, picked + 5)
}

function paintLeft(context: CanvasRenderingContext2D, scene: Scene, radius: number, margin: Margin): void {
  const { cloud, placed, view, shown } = scene
  const side = 2 * radius
  const isOut = outside(scene.size, margin, radius)
  context.fillStyle = scene.palette.left
  for (let index = 0; index < placed.xs.length; index += 1) {
    const position = cloud.positions[index] ?? 0
    if (position > 0 && position <= shown) continue
    const x = view.x + view.k * (placed.xs[index] ?? 0)
    const y = view.y + view.k * (placed.ys[index] ?? 0)
    if (isOut(x, y)) continue
    if (scene.colours) context.fillStyle = scene.colours[index] ?? scene.palette.left
    context.fillRect(x - radius, y - radius, side, side)
  }
}

function paintPicked(context: CanvasRenderingContext2D, scene: Scene, radius: number, margin: Margin): void {
  const { cloud, placed, view, shown } = scene
  const isOut = outside(scene.size, margin, radius + 1)
  const disc = (index: number) =>
    discOf(radius, scene.colours?.[index] ?? scene.palette.picked, scene.palette.ground, scene.ratio)
  const half = radius + 1
  // The last pick first, so that the early ones lie on top.
  for (let pick = Math.min(shown, cloud.picks.length) - 1; pick >= 0; pick -= 1) {
    const index = cloud.picks[pick] ?? 0
    const x = view.x + view.k * (placed.xs[index] ?? 0)
    const y = view.y + view.k * (placed.ys[index] ?? 0)
    if (isOut(x, y)) continue
    context.drawImage(disc(index), x - half, y - half, 2 * half, 2 * half)
  }
}

/** Whether a dot of this radius lies beyond the window and its margin. */
function outside({ width, height }: Size, margin: Margin, radius: number): (x: number, y: number) => boolean {
  const [left, top] = [-margin.x - radius, -margin.y - radius]
  return (x, y) => x < left || y < top || x > width - left || y > height - top
}

let discs: { key: string; canvases: Map<string, HTMLCanvasElement> } = { key: '', canvases: new Map() }

/** A disc with a hairline of the ground round it, drawn once for each colour and stamped thousands of times. */
function discOf(radius: number, colour: string, ground: string, ratio: number): HTMLCanvasElement {
  const key = `${radius}/${ground}/${ratio}`
  if (discs.key !== key) discs = { key, canvases: new Map() }
  const known = discs.canvases.get(colour)
  if (known) return known
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.ceil(2 * (radius + 1) * ratio)
  const context = canvas.getContext('2d')
  if (context) {
    context.scale(canvas.width / (2 * (radius + 1)), canvas.height / (2 * (radius + 1)))
    fillDisc(context, radius + 1, radius + 0.8, ground)
    fillDisc(context, radius + 1, radius, colour)
  }
  discs.canvases.set(colour, canvas)
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
