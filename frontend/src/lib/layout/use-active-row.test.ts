import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useActiveRow } from './use-active-row'

const go = (ids: number[]) =>
  renderHook((now: number[]) => useActiveRow({ list: { current: null }, ids: now }), { initialProps: ids })

test('the active row stays the same one when rows before it come or go', () => {
  const { result, rerender } = go([1, 2, 3])
  act(() => result.current.goTo(2))
  rerender([2, 3])
  expect(result.current.active).toBe(1)
  rerender([9, 1, 2, 3])
  expect(result.current.active).toBe(3)
  act(() => result.current.move(-1))
  expect(result.current.active).toBe(2)
})

test('a row that leaves the list gives its place to the one that came there', () => {
  const { result, rerender } = go([1, 2, 3])
  act(() => result.current.goTo(1))
  rerender([1, 3])
  expect(result.current.active).toBe(1)
  rerender([1])
  expect(result.current.active).toBe(0)
  rerender([])
  expect(result.current.active).toBe(0)
})
