import { paintDots, paintSigns, type Scene } from './paint'

/** Dots drawn once, half a window farther on every side, as they lay when the view was at (x, y). */
interface Layer {
  of: Scene
  canvas: HTMLCanvasElement
  margin: { x: number; y: number }
}

const looksAlike = (a: Scene, b: Scene): boolean =>
  a.placed === b.placed &&
  a.view.k === b.view.k &&
  a.shown === b.shown &&
  a.palette === b.palette &&
  a.colours === b.colours &&
  a.ratio === b.ratio

/**
 * Draws scene after scene. While only the place changes, or the photograph that is looked at, the dots are not drawn
 * again but shifted: thousands of small drawings in every frame are more than a machine without a graphics card can do.
 */
export class Painter {
  #last: Scene | null = null
  #layer: Layer | null = null

  paint(context: CanvasRenderingContext2D, scene: Scene): void {
    const { size, ratio } = scene
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    // The first frame of a new look is drawn at once: while somebody zooms, every frame is one.
    if (this.#last && looksAlike(this.#last, scene)) this.#shift(context, scene)
    else paintDots(context, scene)
    this.#last = scene
    paintSigns(context, scene)
  }

  #shift(context: CanvasRenderingContext2D, scene: Scene): void {
    const layer = this.#layer && covers(this.#layer, scene) ? this.#layer : (this.#layer = layerOf(scene))
    const { margin, of } = layer
    const [x, y] = [scene.view.x - of.view.x - margin.x, scene.view.y - of.view.y - margin.y]
    const whole = (value: number): number => Math.round(value * scene.ratio) / scene.ratio
    const { width, height } = scene.size
    context.drawImage(layer.canvas, whole(x), whole(y), width + 2 * margin.x, height + 2 * margin.y)
  }
}

const covers = ({ of, margin }: Layer, scene: Scene): boolean =>
  looksAlike(of, scene) &&
  Math.abs(scene.view.x - of.view.x) <= margin.x &&
  Math.abs(scene.view.y - of.view.y) <= margin.y

function layerOf(scene: Scene): Layer {
  const { size, ratio } = scene
  const margin = { x: Math.round(size.width / 2), y: Math.round(size.height / 2) }
  const canvas = document.createElement('canvas')
  canvas.width = Math.round((size.width + 2 * margin.x) * ratio)
  canvas.height = Math.round((size.height + 2 * margin.y) * ratio)
  const context = canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, margin.x * ratio, margin.y * ratio)
  if (context) paintDots(context, scene, margin)
  return { of: scene, canvas, margin }
}
