import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { audience, observed, useObserved } from './observed'

test('whoever subscribed is told each time, until they hear no more of it', () => {
  const news = audience()
  const [alice, bob] = [vi.fn(), vi.fn()]
  const leave = news.subscribe(alice)
  news.subscribe(bob)
  news.tell()
  leave()
  news.tell()
  expect([alice.mock.calls.length, bob.mock.calls.length]).toEqual([1, 2])
})

test('a listener may leave while it is called, and the others are still called', () => {
  const news = audience()
  const bob = vi.fn()
  const leave = news.subscribe(() => leave())
  news.subscribe(bob)
  news.tell()
  expect(bob).toHaveBeenCalledOnce()
})

test('an audience is there as long as anybody is', () => {
  const news = audience()
  expect(news.isThere()).toBe(false)
  const leave = news.subscribe(vi.fn())
  expect(news.isThere()).toBe(true)
  leave()
  expect(news.isThere()).toBe(false)
})

test('who is told of a value reads the new one', () => {
  const tea = observed('hot')
  const read: string[] = []
  tea.subscribe(() => read.push(tea.snapshot()))
  tea.set('cold')
  expect(read).toEqual(['cold'])
})

test('a component shows the value as it stands, from its first moment to its last', () => {
  const tea = observed('hot')
  const { result, unmount } = renderHook(() => useObserved(tea))
  expect(result.current).toBe('hot')
  act(() => tea.set('cold'))
  expect(result.current).toBe('cold')
  unmount()
  expect(tea.isObserved()).toBe(false)
})
