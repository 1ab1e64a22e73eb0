import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderPage } from '@/testing/render-app'
import { SortedTable } from './sorted-table'

interface Boat {
  name: string
  length: number
}

const boats: Boat[] = [
  { name: 'Anna', length: 7 },
  { name: 'Berta', length: 12 },
  { name: 'Clara', length: 9 },
]

const table = (nFirst?: number) => (
  <SortedTable<Boat>
    label="Boats"
    choiceName="boats"
    {...(nFirst !== undefined && { nFirst })}
    rows={boats}
    rowId={({ name }) => name}
    columns={[
      { id: 'name', title: 'Name', isRowHeader: true, value: ({ name }) => name, cell: ({ name }) => name },
      { id: 'length', title: 'Length', isNumber: true, value: ({ length }) => length, cell: ({ length }) => length },
      { id: 'deeds', title: 'Actions', isTitleHidden: true, cell: () => 'Sell' },
    ]}
  />
)

beforeEach(() => localStorage.clear())

const heads = async () => (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent)

test('a column is hidden, and this browser remembers it', async () => {
  const { user, unmount } = renderPage(table())
  expect(await heads()).toEqual(['Name', 'Length', 'Actions'])
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  const menu = await screen.findByRole('menu', { name: 'Columns' })
  expect(within(menu).getAllByRole('menuitemcheckbox').map(({ textContent }) => textContent)).toEqual(['Length'])
  await user.click(within(menu).getByRole('menuitemcheckbox', { name: 'Length' }))
  await user.keyboard('{Escape}')
  expect(await heads()).toEqual(['Name', 'Actions'])
  unmount()
  renderPage(table())
  expect(await heads()).toEqual(['Name', 'Actions'])
})

test('what the browser kept is not trusted', async () => {
  localStorage.setItem('connote.columns.boats', '{"name": 1')
  renderPage(table())
  expect(await heads()).toEqual(['Name', 'Length', 'Actions'])
})

test('the first rows of the order show, then all of them', async () => {
  const { user } = renderPage(table(1))
  await user.click(await screen.findByRole('columnheader', { name: 'Length' }))
  expect(screen.getAllByRole('row').slice(1).map(({ textContent }) => textContent)).toEqual(['Berta12Sell'])
  await user.click(screen.getByRole('button', { name: 'Show all 3 rows' }))
  expect(screen.getAllByRole('row')).toHaveLength(4)
  expect(screen.queryByRole('button', { name: /Show all/ })).not.toBeInTheDocument()
})
