import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { alice } from '@/testing/catalogue-data'
import { collectors, policy, policyPreview } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { PolicyTab } from './policy-tab'

const page = (results: unknown[]) => ({ next: null, previous: null, results })
const saved = policy({ version: 2, is_in_force: false })

beforeEach(() => {
  const versions = [policy()]
  server.use(
    http.get('*/projects/:slug/policies', () => HttpResponse.json(page([...versions].reverse()))),
    http.post('*/projects/:slug/policies', () => {
      versions.push(saved)
      return HttpResponse.json(saved, { status: 201 })
    }),
    http.get('*/policies/defaults', () => HttpResponse.json({ rules: policy().rules, collectors })),
    http.get('*/agreement/habits', () => HttpResponse.json({ as_of: null, is_stale: false, results: [] })),
    http.get('*/policies/:version', () => HttpResponse.json({ policy: saved, replays: [] })),
    http.post('*/policies/:version/preview', () => HttpResponse.json({ run: 'preview-run' }, { status: 202 })),
    http.get('*/runs/:run', ({ params }) => HttpResponse.json({ id: params.run, status: 'succeeded' })),
    http.get('*/policies/:version/preview', () => HttpResponse.json(policyPreview)),
    http.post('*/policies/:version/apply', () => HttpResponse.json({ run: 'apply-run' }, { status: 202 })),
  )
})

const heading = (name: string | RegExp) => screen.findByRole('heading', { name })

test('the focus goes along from a new version to what it would change, and on once it is applied', async () => {
  const { user } = renderPage(<PolicyTab slug="harbour" mayCurate />, alice)
  await user.click(await screen.findByRole('button', { name: /New version/ }))
  await waitFor(async () => expect(await heading('A new version')).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Save the version' }))
  await waitFor(async () => expect(await heading('Version 2')).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Preview the changes' }))
  await waitFor(async () => expect(await heading('Changes if you apply it now')).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Apply version 2' }))
  await user.click(await screen.findByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Preview the changes' })).toHaveFocus())
})

test('whoever leaves the new version goes on from the one that stands', async () => {
  const { user } = renderPage(<PolicyTab slug="harbour" mayCurate />, alice)
  await user.click(await screen.findByRole('button', { name: /New version/ }))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(async () => expect(await heading(/^Version 1/)).toHaveFocus())
})

test('a rule that is removed leaves the focus to the one that stands there now', async () => {
  const [rule] = policy().rules
  if (!rule) throw new Error('no rule among the test data')
  server.use(http.get('*/projects/:slug/policies', () => HttpResponse.json(page([policy({ rules: [rule, rule] })]))))
  const { user } = renderPage(<PolicyTab slug="harbour" mayCurate />, alice)
  await user.click(await screen.findByRole('button', { name: /New version/ }))
  await user.click(await screen.findByRole('button', { name: 'Remove rule 1' }))
  expect(screen.queryByRole('button', { name: 'Remove rule 2' })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Remove rule 1' })).toHaveFocus()
})

test('a page that opens takes the focus nowhere', async () => {
  renderPage(<PolicyTab slug="harbour" mayCurate />, alice)
  await heading(/^Version 1/)
  expect(document.body).toHaveFocus()
})

test('without a version the suggested rules stand there and are saved as they are', async () => {
  let sent: unknown
  server.use(
    http.get('*/projects/:slug/policies', () => HttpResponse.json(page([]))),
    http.post('*/projects/:slug/policies', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(policy(), { status: 201 })
    }),
  )
  const { user } = renderPage(<PolicyTab slug="harbour" mayCurate />, alice)
  await heading('No rules yet')
  expect(screen.getByText('exclude')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save these rules' }))
  await waitFor(() => expect(sent).toEqual({ rules: policy().rules, note: '' }))
})
