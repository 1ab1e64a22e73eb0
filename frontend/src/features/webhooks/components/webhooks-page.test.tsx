import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Delivery, Webhook } from '@/lib/api/served'
import { alice } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WebhooksPage } from './webhooks-page'

const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: 4,
  name: 'Training',
  url: 'https://example.org/hook',
  events: ['release.created'],
  is_enabled: true,
  disabled_at: null,
  disabled_why: '',
  succeeded_at: null,
  old_secret_until: null,
  created_at: '2026-01-05T10:00:00Z',
  ...changes,
})
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: 9,
  message_id: 'msg_1',
  event: 'release.created',
  state: 'failed',
  created_at: '2026-01-05T10:00:00Z',
  next_at: null,
  message: { type: 'release.created' },
  tries: [{ at: '2026-01-05T10:00:05Z', ms: 31, status: 500, error: 'status', answer: '<b>broken</b>' }],
  ...changes,
})
const place = '*/api/v1/projects/:slug/webhooks'
const page = (rows: unknown[]) => HttpResponse.json({ next: null, previous: null, results: rows })
const serve = (...hooks: Webhook[]) => server.use(http.get(place, () => page(hooks)))
const show = () => renderPage(<WebhooksPage slug="harbour" />, alice)

test('a new webhook shows its secret once, and the events that were chosen are sent', async () => {
  let sent: unknown
  serve()
  server.use(
    http.post(place, async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...webhook(), secret: 'whsec_abc' }, { status: 201 })
    }),
  )
  const { user } = show()
  expect(await screen.findByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create a webhook' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), 'Training')
  await user.type(dialog.getByLabelText('Address'), 'https://example.org/hook')
  expect(dialog.getByRole('button', { name: 'Create a webhook' })).toBeDisabled()
  await user.click(dialog.getByLabelText('A release was made'))
  await user.click(dialog.getByLabelText('A run failed'))
  await user.click(dialog.getByRole('button', { name: 'Create a webhook' }))
  expect(await screen.findByText('whsec_abc')).toBeVisible()
  expect(sent).toEqual({
    name: 'Training',
    url: 'https://example.org/hook',
    events: ['run.failed', 'release.created'],
  })
  await user.click(screen.getByRole('button', { name: 'I stored it' }))
  await waitFor(() => expect(screen.queryByText('whsec_abc')).not.toBeInTheDocument())
})

test('an address that may not be asked says why, beside the field', async () => {
  serve(webhook())
  const said = 'This address is in a private network.'
  server.use(
    http.patch(`${place}/4`, () =>
      HttpResponse.json(
        {
          code: 'webhook_not_public',
          message: said,
          details: { url: [said] },
          request_id: null,
          fields: { url: [{ code: 'webhook_not_public', message: said, params: {} }] },
        },
        { status: 400 },
      ),
    ),
  )
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(said)).toBeVisible()
  expect(screen.getByLabelText('Address')).toBeInvalid()
})

test('the log shows each try as text, and sends a message again', async () => {
  serve(webhook())
  let again = 0
  server.use(
    http.get(`${place}/4/deliveries`, () => page([delivery()])),
    http.post(`${place}/4/deliveries/9/again`, () => {
      again += 1
      return HttpResponse.json(delivery({ state: 'pending' }), { status: 202 })
    }),
  )
  const { user } = show()
  await user.click(await screen.findByText('Deliveries'))
  const line = within(await screen.findByRole('list', { name: 'Deliveries' }))
  expect(line.getByText('Failed')).toBeVisible()
  await user.click(line.getByText('Message and tries'))
  expect(line.getByText('<b>broken</b>')).toBeVisible()
  expect(line.getByText(/answer 500, 31 ms/)).toBeVisible()
  await user.click(line.getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(again).toBe(1))
})

test('a webhook that failed for three days says so, and can be enabled again', async () => {
  serve(webhook({ is_enabled: false, disabled_at: '2026-01-05T10:00:00Z', disabled_why: 'failing' }))
  let sent: unknown
  server.use(
    http.patch(`${place}/4`, async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(webhook())
    }),
  )
  const { user } = show()
  expect(await screen.findByText(/No message arrived for three days/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Send a test message' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Enable' }))
  await waitFor(() => expect(sent).toEqual({ is_enabled: true }))
})

test('a test that cannot be sent says why', async () => {
  serve(webhook())
  server.use(http.post(`${place}/4/test`, () => refusal(409, 'webhook_disabled', 'This webhook is disabled.')))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Send a test message' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('This webhook is disabled.')
})
