import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { useKeptFocus } from './use-kept-focus'

function Rows({ names, isShort = false }: { names: readonly string[]; isShort?: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <ul ref={list} {...useKeptFocus(list)}>
      {names.map((name) => (
        <li key={name}>
          <button>{`Keep ${name}`}</button>
          {!isShort && <button>{`Drop ${name}`}</button>}
        </li>
      ))}
    </ul>
  )
}

const button = (name: string) => screen.getByRole('button', { name })

test('a button that goes leaves the focus to the first of its row', async () => {
  const { rerender } = render(<Rows names={['a', 'b']} />)
  await userEvent.click(button('Drop b'))
  rerender(<Rows names={['a', 'b']} isShort />)
  expect(button('Keep b')).toHaveFocus()
})

test('a row that goes leaves it to the one that stands there now, the last one to the one above', async () => {
  const { rerender } = render(<Rows names={['a', 'b', 'c']} />)
  await userEvent.click(button('Drop b'))
  rerender(<Rows names={['a', 'c']} />)
  expect(button('Keep c')).toHaveFocus()
  rerender(<Rows names={['a']} />)
  expect(button('Keep a')).toHaveFocus()
})

test('whoever had gone elsewhere stays there', async () => {
  const { rerender } = render(<Rows names={['a', 'b']} />)
  await userEvent.click(button('Drop b'))
  await userEvent.click(document.body)
  rerender(<Rows names={['a']} />)
  expect(document.body).toHaveFocus()
})
