import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError, offlineError } from '@/lib/api/api-error'
import { renderPage } from '@/testing/render-app'
import { LabelBadge } from './badge'
import { Dialog } from './dialog'
import { Disclosure } from './disclosure'
import { Markdown } from './markdown'
import { Menu } from './menu'
import { ProgressBar } from './progress-bar'
import { RelativeTime } from './relative-time'
import { Select } from './select'
import { Skeleton } from './skeleton'
import { ErrorState } from './states'
import { Table } from './table'
import { Tabs } from './tabs'
import { TextField } from './text-field'
import { ToastRegion } from './toast-region'
import { showToast } from './toast-store'
import { TriggerButton } from './trigger-button'

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

test('what a disclosure holds is drawn once it is open, by whoever opens it', async () => {
  const told = vi.fn()
  const drawn = (isOpen?: boolean) => (
    <Disclosure summary="How it was made" onToggle={told} {...(isOpen !== undefined && { isOpen })}>
      By hand
    </Disclosure>
  )
  const { rerender } = render(drawn())
  expect(screen.queryByText('By hand')).not.toBeInTheDocument()
  await userEvent.click(screen.getByText('How it was made'))
  expect(await screen.findByText('By hand')).toBeVisible()
  expect(told).toHaveBeenCalledWith(true)
  rerender(drawn(false))
  expect(screen.queryByText('By hand')).not.toBeInTheDocument()
})

test('a label is told by a word and a sign, not by colour alone', () => {
  const { container } = render(<LabelBadge label="bad" />)
  expect(screen.getByText('Bad')).toBeVisible()
  expect(container.querySelector('svg')).toBeInTheDocument()
})

test('a skeleton keeps quiet for 200 ms', () => {
  vi.useFakeTimers()
  render(<Skeleton label="projects" />)
  pass(199)
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  pass(1)
  expect(screen.getByRole('status', { name: 'Loading projects' })).toBeInTheDocument()
})

test('an error shows the sentence, the request and the way to try again', async () => {
  const retry = vi.fn()
  const error = new ApiError(500, {
    code: 'failed',
    message: 'It is being looked at.',
    details: null,
    request_id: 'r-9',
  })
  const { user } = renderPage(<ErrorState error={error} onRetry={retry} />)
  expect(await screen.findByRole('alert')).toHaveTextContent('It is being looked at.')
  expect(screen.getByText('Request r-9')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledOnce()
})

test('an error of somebody signed out leads to sign in', async () => {
  const error = new ApiError(401, { code: 'not_signed_in', message: 'Sign in.', details: null, request_id: null })
  renderPage(<ErrorState error={error} onRetry={vi.fn()} />)
  expect(await screen.findByRole('link', { name: 'Sign in' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('being offline has its own title', async () => {
  renderPage(<ErrorState error={offlineError()} />)
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible()
})

test('Markdown drops HTML and disarms addresses that run code', () => {
  render(<Markdown>{'<b>loud</b> *soft* [run](javascript:alert(1)) <iframe src="//x"></iframe>'}</Markdown>)
  expect(screen.getByText('soft').tagName).toBe('EM')
  expect(document.querySelector('b, iframe')).toBeNull()
  expect(screen.getByText('run')).not.toHaveAttribute('href', expect.stringContaining('javascript'))
})

test('a field shows its error and is marked by it', () => {
  render(<TextField label="Slug" error="Use small letters and hyphens." />)
  expect(screen.getByLabelText('Slug')).toBeInvalid()
  expect(screen.getByText('Use small letters and hyphens.')).toBeVisible()
})

const roles = [
  { value: 'curator', label: 'Curator' },
  { value: 'annotator', label: 'Annotator' },
] as const

function RolePicker({ onPick }: { onPick: (role: string) => void }) {
  const [role, setRole] = useState<'curator' | 'annotator'>('annotator')
  return (
    <Select
      label="Role"
      choices={roles}
      value={role}
      onChange={(next) => {
        setRole(next)
        onPick(next)
      }}
    />
  )
}

test('a choice is made by keyboard', async () => {
  const pick = vi.fn()
  render(<RolePicker onPick={pick} />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{Enter}{ArrowUp}{Enter}')
  expect(pick).toHaveBeenCalledExactlyOnceWith('curator')
})

test('a menu performs the entry that is chosen', async () => {
  const retry = vi.fn()
  const entries = [
    { id: 'retry', label: 'Retry', onAction: retry },
    { id: 'cancel', label: 'Cancel', isDisabled: true, onAction: vi.fn() },
  ]
  render(<Menu label="Run" trigger={<TriggerButton>More</TriggerButton>} entries={entries} />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'More' }))
  expect(screen.getByRole('menuitem', { name: 'Cancel' })).toHaveAttribute('aria-disabled', 'true')
  await user.click(screen.getByRole('menuitem', { name: 'Retry' }))
  expect(retry).toHaveBeenCalledOnce()
})

test('a dialog is named by its title and closes by Escape and by its button', async () => {
  const close = vi.fn()
  render(
    <Dialog title="Revoke the invitation" isOpen onClose={close}>
      The link stops working.
    </Dialog>,
  )
  const user = userEvent.setup()
  const dialog = screen.getByRole('dialog', { name: 'Revoke the invitation' })
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await user.keyboard('{Escape}')
  expect(close).toHaveBeenCalledTimes(2)
})

test('a table walks its rows by arrows and opens one by Enter', async () => {
  const open = vi.fn()
  const rows = [
    { id: 'a', n: 3 },
    { id: 'b', n: 12 },
  ]
  const columns = [
    { id: 'id', title: 'Stage', cell: (row: { id: string }) => row.id },
    { id: 'n', title: 'Rows', isNumber: true, cell: (row: { n: number }) => row.n },
  ]
  render(<Table label="Runs" columns={columns} rows={rows} rowId={(row) => row.id} onRowAction={open} />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(open).toHaveBeenCalledExactlyOnceWith(rows[1])
  expect(screen.getByRole('gridcell', { name: '12' })).toHaveClass('number')
})

test('an empty table says so', () => {
  render(
    <Table
      label="Runs"
      columns={[{ id: 'a', title: 'A', cell: () => '' }]}
      rows={[]}
      rowId={() => ''}
      empty="No runs yet."
    />,
  )
  expect(screen.getByText('No runs yet.')).toBeVisible()
})

test('tabs change by arrows', async () => {
  const tabs = [
    { id: 'in', label: 'Kept', content: 'kept ones' },
    { id: 'out', label: 'Dropped', content: 'dropped ones' },
  ]
  render(<Tabs label="Candidates" tabs={tabs} />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tabpanel')).toHaveTextContent('dropped ones')
})

test('progress with an unknown end claims no value', () => {
  render(<ProgressBar label="Importing" value={4} max={null} />)
  expect(screen.getByRole('progressbar', { name: 'Importing' })).not.toHaveAttribute('aria-valuenow')
})

test('a date is relative, with the absolute for hover and machines', () => {
  render(<RelativeTime at="2020-02-03T04:05:00Z" />)
  const time = screen.getByText(/years ago/)
  expect(time).toHaveAttribute('datetime', '2020-02-03T04:05:00Z')
  expect(time.title).toContain('2020')
})

test('a toast leaves by itself after six seconds', () => {
  vi.useFakeTimers()
  render(<ToastRegion />)
  act(() => showToast('The run is cancelled.'))
  expect(screen.getByRole('status')).toHaveTextContent('The run is cancelled.')
  pass(6000)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})
