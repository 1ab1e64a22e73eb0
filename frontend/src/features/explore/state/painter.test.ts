import { beforeEach, expect, test, vi } from 'vitest'
import { place } from '@/components/point-map/place'
import { cloudOf } from './cloud'
import type { Scene } from './paint'
import { Painter } from './painter'

const size = { width: 100, height: 100 }
const cloud = cloudOf({ images: [1, 2, 3], x: [0, 1, 2], y: [0, 1, 2], positions: [1, null, null] })
const scene: Scene = {
  cloud,
  placed: place(cloud, size, 10),
  size,
  view: { x: 0, y: 0, k: 1 },
  shown: 1,
  marked: null,
  palette: { left: 'grey', picked: 'blue', text: 'black', ground: 'white', focus: 'red' },
  ratio: 1,
}

let squares = 0
const shifts: number[][] = []
const own: Record<string, (...given: never[]) => void> = {
  fillRect: () => (squares += 1),
  drawImage: (...given) => given.length === 5 && Number(given[3]) > 100 && shifts.push(given.slice(1, 3)),
}
const context = new Proxy({}, { get: (_, name) => own[String(name)] ?? (() => undefined), set: () => true })

beforeEach(() => {
  squares = shifts.length = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
})

const at = (x: number, y: number, changes: Partial<Scene> = {}): Scene => ({
  ...scene,
  view: { x, y, k: 1 },
  ...changes,
})

function paintAll(...scenes: Scene[]): void {
  const painter = new Painter()
  for (const each of scenes) painter.paint(context as never, each)
}

test('while the map is dragged the dots are drawn once more and then shifted', () => {
  paintAll(at(0, 0), at(3, 0), at(8, 2), at(9, 2, { marked: 1 }))
  expect(squares).toBe(4)
  expect(shifts).toEqual([
    [-50, -50],
    [-45, -48],
    [-44, -48],
  ])
})

test('dragged farther than was drawn ahead, they are drawn anew', () => {
  paintAll(at(0, 0), at(1, 0), at(52, 0))
  expect(squares).toBe(6)
  expect(shifts.at(-1)).toEqual([-50, -50])
})

test('whatever changes their look is drawn at once', () => {
  const palette = { ...scene.palette, left: 'white' }
  paintAll(at(0, 0), at(0, 0, { palette }), { ...at(0, 0, { palette }), view: { x: 0, y: 0, k: 2 } })
  expect(shifts).toEqual([])
  paintAll(at(0, 0), at(0, 0, { shown: 0 }))
  expect(shifts).toEqual([])
  paintAll(at(0, 0), at(0, 0, { colours: ['red', 'green', 'blue'] }))
  expect(shifts).toEqual([])
})
