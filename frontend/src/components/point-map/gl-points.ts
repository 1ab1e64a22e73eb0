import {
  type BufferInfo,
  createBufferInfoFromArrays,
  createProgramInfo,
  drawBufferInfo,
  type ProgramInfo,
  setBuffersAndAttributes,
  setUniforms,
} from 'twgl.js'
import type { Placed, Size, View } from './place'

/** Points to draw, the last on top: which of the placed ones, and four bytes of colour for each. */
export interface Dots {
  indices: Int32Array
  colours: Uint8Array
}

export interface Scene {
  size: Size
  view: View
  /** Device pixels in one of ours. */
  ratio: number
  /** Pixels. */
  diameter: number
}

/* eslint-disable no-restricted-syntax -- These are shaders, not text of the interface. */
const vertexShader = `#version 300 es
in vec2 place;
in vec4 colour;
uniform vec3 view;
uniform vec2 size;
uniform float diameter;
out vec4 tint;
void main() {
  vec2 at = view.xy + view.z * place;
  gl_Position = vec4(2.0 * at.x / size.x - 1.0, 1.0 - 2.0 * at.y / size.y, 0.0, 1.0);
  gl_PointSize = diameter;
  tint = colour;
}`

const fragmentShader = `#version 300 es
precision highp float;
in vec4 tint;
uniform float diameter;
uniform float ring;
out vec4 result;
void main() {
  float away = length(gl_PointCoord - 0.5) * diameter;
  float share = clamp(0.5 * diameter - away, 0.0, 1.0);
  if (ring > 0.0) share *= clamp(away - 0.5 * diameter + ring, 0.0, 1.0);
  result = vec4(tint.rgb, 1.0) * tint.a * share;
}`

/* eslint-enable no-restricted-syntax */

const software = /swiftshader|llvmpipe|softpipe|basic render|software/i

/** Browsers draw by the processor where they may not use a graphics card. Then the time grows with the number of dots. */
function isBySoftware(gl: WebGL2RenderingContext): boolean {
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  return software.test(String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)))
}

/** Draws points by WebGL: the graphics card gets the points once, and each frame only the view. */
export class GlPoints {
  readonly #gl: WebGL2RenderingContext
  readonly #program: ProgramInfo
  readonly #layers = new Map<string, BufferInfo | null>()

  /** No graphics card draws, but the processor. */
  readonly isSlow: boolean

  private constructor(gl: WebGL2RenderingContext, program: ProgramInfo) {
    this.isSlow = isBySoftware(gl)
    this.#gl = gl
    this.#program = program
  }

  /** Null where the browser cannot draw by WebGL. */
  static on(canvas: HTMLCanvasElement): GlPoints | null {
    const gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: true })
    const program = gl && createProgramInfo(gl, [vertexShader, fragmentShader])
    return gl && program ? new GlPoints(gl, program) : null
  }

  /** Puts a layer of points in place of the one of this name. */
  put(name: string, { xs, ys }: Placed, { indices, colours }: Dots): void {
    const before = this.#layers.get(name)
    for (const buffer of Object.values(before?.attribs ?? {})) this.#gl.deleteBuffer(buffer.buffer)
    const places = new Float32Array(2 * indices.length)
    indices.forEach((index, at) => {
      places[2 * at] = xs[index] ?? 0
      places[2 * at + 1] = ys[index] ?? 0
    })
    const isEmpty = indices.length === 0
    const arrays = {
      place: { numComponents: 2, data: places },
      colour: { numComponents: 4, data: colours, normalize: true },
    }
    this.#layers.set(name, isEmpty ? null : createBufferInfoFromArrays(this.#gl, arrays))
  }

  clear({ size, ratio }: Scene): void {
    const gl = this.#gl
    const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)]
    if (gl.canvas.width !== wide) gl.canvas.width = wide
    if (gl.canvas.height !== high) gl.canvas.height = high
    gl.viewport(0, 0, wide, high)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  }

  /** Draws a layer over what is there; with `ring`, circles of this width in pixels. */
  draw(name: string, { size, view, ratio, diameter }: Scene, ring = 0): void {
    const layer = this.#layers.get(name)
    if (!layer) return
    const gl = this.#gl
    gl.useProgram(this.#program.program)
    setBuffersAndAttributes(gl, this.#program, layer)
    setUniforms(this.#program, {
      view: [view.x, view.y, view.k],
      size: [size.width, size.height],
      diameter: diameter * ratio,
      ring: ring * ratio,
    })
    drawBufferInfo(gl, layer, gl.POINTS)
  }

  /** Gives the memory of the graphics card back. */
  dispose(): void {
    for (const layer of this.#layers.values())
      for (const buffer of Object.values(layer?.attribs ?? {})) this.#gl.deleteBuffer(buffer.buffer)
    this.#layers.clear()
    this.#gl.deleteProgram(this.#program.program)
  }
}
