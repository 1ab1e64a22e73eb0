import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Control } from '@/lib/api/served'
import { alice } from '@/testing/catalogue-data'
import { control } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ControlRow } from './control-row'

const show = (change: Partial<Control>) =>
  renderPage(<ControlRow slug="skies" control={{ ...control, ...change }} mayCurate />, alice)

test.each(['active', 'retired'] as const)(
  'one that is %s and whose answer is wrong counts for nobody',
  async (state) => {
    let sent: unknown
    server.use(
      http.patch('*/controls/:id', async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ ...control, state: 'quarantined' })
      }),
    )
    const { user } = show({ state, why: null })
    await user.click(await screen.findByRole('button', { name: 'Mark as wrong: A violin on ice.' }))
    await waitFor(() => expect(sent).toEqual({ state: 'quarantined', reason: '' }))
  },
)

test.each([{ state: 'quarantined' }, { state: 'active', n_met: 0 }] as const)(
  'nothing is to be taken out of the scores where it counts for nobody',
  async (change) => {
    show(change)
    expect(await screen.findByText('A violin on ice.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Mark as wrong/ })).toBeNull()
  },
)
