import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { HitPreview, Role } from '@/lib/api/contract'
import { shelf } from '@/lib/store/shelf'
import { answerSubmitsWith } from '@/testing/annotating'
import { assignment, harbour, item } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const { kind, image, query, options, guidelines_version } = assignment()
const hit = (id: number, text: string): HitPreview['hit'] => {
  return { id, kind, image, query, options, guidelines_version, items: [item(1, { text })] }
}

let asked: string[]

beforeEach(() => {
  asked = []
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    if (request.method !== 'GET') asked.push(new URL(request.url).pathname)
  })
  server.use(
    http.get('*/preview', ({ request }) =>
      HttpResponse.json({
        hit: new URL(request.url).searchParams.get('after') === '7' ? hit(8, 'A slow boat.') : hit(7, 'Low tide.'),
      }),
    ),
    http.get('*/progress', () => HttpResponse.json(progress(0))),
  )
})

const progress = (n: number) => ({
  mine: { submitted_today: n, submitted_total: n, judgments_total: n, ms_today: 0 },
  project: { hits: 2, assignments_needed: 6, assignments_submitted: n },
})

const openAs = (role: Role) => renderPage(<AnnotatePage project={{ ...harbour, role }} />)

test.each<Role>(['curator', 'head_annotator'])(
  'a %s tries the desk, and nothing is held, kept or sent',
  async (role) => {
    const sent = answerSubmitsWith(() => HttpResponse.error())
    const { user } = openAs(role)
    expect(await screen.findByText('Low tide.')).toBeVisible()
    await user.keyboard('g{Enter}')
    expect(await screen.findByText('A slow boat.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Skip' })).not.toBeInTheDocument()
    await user.keyboard('b')
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(sent).toEqual([])
    expect(asked).toEqual([])
    expect(await shelf('drafts').all()).toEqual([])
  },
  20_000,
)

test('“Annotate yourself” takes a task', async () => {
  const { user } = openAs('curator')
  await user.click(await screen.findByRole('button', { name: 'Annotate yourself' }))
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  await waitFor(() => expect(asked).toContain('/api/v1/projects/harbour/assignments/next'))
})

test('whoever has judged in the project before goes straight to work', async () => {
  server.use(http.get('*/progress', () => HttpResponse.json(progress(3))))
  openAs('head_annotator')
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  expect(screen.queryByText(/This is a preview/)).not.toBeInTheDocument()
})

test('before there are tasks the preview says so, and takes none', async () => {
  server.use(http.get('*/preview', () => HttpResponse.json({ hit: null })))
  openAs('curator')
  expect(await screen.findByRole('heading', { name: 'There are no tasks yet' })).toBeVisible()
  expect(asked).toEqual([])
})
