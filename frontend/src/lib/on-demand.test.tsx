import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { onDemand } from './on-demand'

const Piece = ({ word }: { word: string }) => <p>{word}</p>

test('code is fetched when the piece is first drawn, and once for all', async () => {
  const load = vi.fn(() => Promise.resolve(Piece))
  const Late = onDemand(load)
  expect(load).not.toHaveBeenCalled()
  render(<Late word="one" />)
  expect(await screen.findByText('one')).toBeVisible()
  render(<Late word="two" />)
  expect(screen.getByText('two')).toBeVisible()
  expect(load).toHaveBeenCalledOnce()
})

test('a piece fetched beforehand is there in the same frame', async () => {
  const Late = onDemand(() => Promise.resolve(Piece))
  Late.preload()
  await Promise.resolve()
  render(<Late word="now" />)
  expect(screen.getByText('now')).toBeVisible()
})

test('something stands in its place meanwhile', () => {
  const never = new Promise<typeof Piece>(() => undefined)
  const Late = onDemand(
    () => never,
    ({ word }) => <i>{word}, soon</i>,
  )
  render(<Late word="a menu" />)
  expect(screen.getByText('a menu, soon')).toBeVisible()
})

test('a fetch that failed is tried again at the next drawing', async () => {
  const load = vi.fn<() => Promise<typeof Piece>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(Piece)
  const Late = onDemand(load)
  const { unmount } = render(<Late word="again" />)
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  unmount()
  render(<Late word="again" />)
  expect(await screen.findByText('again')).toBeVisible()
})
