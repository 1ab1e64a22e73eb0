import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ProjectSettingsPage } from './project-settings-page'

const theirs = { ...curated, name: 'Harbour evenings', version: 4 }

test('only what was changed is sent, with the version it was changed on', async () => {
  let sent: unknown
  server.use(
    http.patch('*/api/v1/projects/:slug', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...curated, overlap: 5, version: 2 })
    }),
  )
  const { user } = renderPage(<ProjectSettingsPage project={curated} />, alice)
  const field = await screen.findByRole('textbox', { name: 'Answers per caption' })
  expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
  await user.clear(field)
  await user.type(field, '5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual({ version: 1, overlap: 5 }))
  expect(await screen.findByText(/Version 2/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
  expect(document.body).not.toHaveFocus()
})

async function meetStale() {
  const sent: unknown[] = []
  server.use(
    http.get('*/api/v1/projects/:slug', () => HttpResponse.json(theirs)),
    http.patch('*/api/v1/projects/:slug', async ({ request }) => {
      const body = (await request.json()) as { version: number }
      sent.push(body)
      return body.version === 4
        ? HttpResponse.json({ ...theirs, name: 'Mine', version: 5 })
        : refusal(409, 'stale', 'Somebody else changed this.', { version: 4 })
    }),
  )
  const { user } = renderPage(<ProjectSettingsPage project={curated} />, alice)
  const field = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(field)
  await user.type(field, 'Mine')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  return { user, sent, field }
}

test('a stale save names the newer version, shows what differs, and loses nothing', async () => {
  const { field } = await meetStale()
  expect(await screen.findByText(/to version 4 while you were writing/)).toBeVisible()
  expect(screen.getByText('Harbour evenings')).toBeVisible()
  expect(field).toHaveValue('Mine')
})

test('mine can be saved over theirs, knowingly', async () => {
  const { user, sent } = await meetStale()
  await user.click(await screen.findByRole('button', { name: 'Overwrite with my version' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ version: 4, name: 'Mine' }))
  expect(await screen.findByText(/Version 5/)).toBeVisible()
})

test('theirs can be taken instead', async () => {
  const { user, field } = await meetStale()
  await user.click(await screen.findByRole('button', { name: 'Use their version' }))
  expect(field).toHaveValue('Harbour evenings')
  expect(screen.queryByText(/while you were writing/)).not.toBeInTheDocument()
})

test('guidelines are previewed as Markdown and raw HTML never becomes markup', async () => {
  const project = { ...curated, guidelines: '**Good** <img src=x onerror=alert(1)> [here](javascript:alert(1))' }
  renderPage(<ProjectSettingsPage project={project} />, alice)
  const preview = await screen.findByRole('region', { name: 'Preview' })
  expect(preview.querySelector('strong')).toHaveTextContent('Good')
  expect(preview.querySelector('img')).toBeNull()
  expect(preview.querySelector('a')?.getAttribute('href') ?? '').not.toContain('javascript')
})

test('before a save stands what will change and from when on, and it can all be discarded', async () => {
  const { user } = renderPage(<ProjectSettingsPage project={curated} />, alice)
  const field = await screen.findByRole('textbox', { name: 'Answers per caption' })
  await user.clear(field)
  await user.type(field, '5{Tab}')
  const changes = screen.getByRole('list', { name: 'Changes' })
  expect(changes).toHaveTextContent(`Answers per caption ${curated.overlap} → 5. Applies to new tasks only.`)
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(field).toHaveValue(String(curated.overlap))
  expect(screen.queryByRole('list', { name: 'Changes' })).not.toBeInTheDocument()
})

test('guidelines begin with a template, which takes the place of own words only after asking', async () => {
  const { user } = renderPage(<ProjectSettingsPage project={{ ...curated, guidelines: '' }} />, alice)
  const take = async (name: RegExp) => {
    await user.click(await screen.findByRole('button', { name: 'Use a template' }))
    await user.click(await screen.findByRole('menuitem', { name }))
  }
  const field = await screen.findByRole('textbox', { name: 'Guidelines' })
  await take(/^Literal descriptions/)
  expect(field).toHaveTextContent(/^# What is good/)
  await take(/^Captions with many meanings/)
  expect(field).toHaveTextContent('it is a metaphor for the image')
  await user.type(field, 'Our own rule.')
  await take(/^Literal descriptions/)
  await user.click(await screen.findByRole('button', { name: 'Replace' }))
  expect(field).not.toHaveTextContent('Our own rule.')
})
