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

test('who was asked in a dialog comes back to the row that stands there now', async () => {
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.innerHTML = '<div role="alertdialog"><button>Drop it</button></div>'
  const { rerender } = render(<Rows names={['a', 'b']} />)
  await userEvent.click(button('Drop a'))
  await userEvent.click(button('Drop it'))
  dialog.remove()
  rerender(<Rows names={['b']} />)
  expect(button('Keep b')).toHaveFocus()
})
