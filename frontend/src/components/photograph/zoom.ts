/** Zoom and pan of a photograph fitted into its frame. Offsets are in pixels from the centre of the frame. */
export interface View {
  scale: number
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export const fitted: View = { scale: 1, x: 0, y: 0 }
const maxScale = 8

/** The size of a photograph when it just fits its frame. */
export function fitInto(frame: Size, photo: Size): Size {
  const ratio = Math.min(frame.width / photo.width, frame.height / photo.height)
  return { width: photo.width * ratio, height: photo.height * ratio }
}

/** Scales by `factor` while the point under the pointer stays where it is. */
export function zoomAt(view: View, factor: number, at: Point, frame: Size, photo: Size): View {
  const scale = Math.min(Math.max(view.scale * factor, 1), maxScale)
  const change = scale / view.scale
  return keepInside({ scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change }, frame, photo)
}

export function pan(view: View, by: Point, frame: Size, photo: Size): View {
  return keepInside({ ...view, x: view.x + by.x, y: view.y + by.y }, frame, photo)
}

/** The photograph never leaves its frame: an axis that fits stays centred. */
function keepInside(view: View, frame: Size, photo: Size): View {
  const fit = fitInto(frame, photo)
  const reachX = Math.max(0, (fit.width * view.scale - frame.width) / 2)
  const reachY = Math.max(0, (fit.height * view.scale - frame.height) / 2)
  return { scale: view.scale, x: clamp(view.x, reachX), y: clamp(view.y, reachY) }
}

const clamp = (value: number, reach: number) => Math.min(Math.max(value, -reach), reach) + 0
