import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { BuildCheck } from '@/lib/api/served'
import { alice, curated, run, walk } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WalkPage } from './walk-page'

test('before tasks are built the curator reads what is missing and what it costs', async () => {
  const check = (
    code: BuildCheck['code'],
    state: BuildCheck['state'],
    n: number,
    params: BuildCheck['params'] = {},
  ) => ({
    code,
    state,
    n,
    params,
    link: '/',
  })
  const items = [
    check('guidelines', 'warning', 0),
    check('test_questions', 'warning', 3, { enough: 10 }),
    check('quiz', 'info', 0, { asked: 0 }),
    check('annotators', 'ok', 1, { invited: 2, wanted: 3 }),
    check('cost', 'ok', 480, { tasks: 160, cost: '105.60' }),
  ]
  server.use(http.get('*/api/v1/projects/:slug/hits/checklist', () => HttpResponse.json({ items, is_clear: false })))
  const done = run({ started_at: '2026-01-05T11:00:00Z', finished_at: '2026-01-05T11:01:00Z' })
  const now = walk({
    clean: { state: 'done', last_run: done },
    build_hits: { state: 'ready', startable: true, why_not: '' },
  })
  server.use(
    http.get('*/api/v1/projects/:slug/walk', () =>
      HttpResponse.json({ ...now, counters: { ...now.counters, new_candidates: 0 } }),
    ),
    http.get('*/api/v1/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: /Start: Build HITs/ }))
  const list = within(await screen.findByRole('region', { name: 'Before the tasks are built' }))
  const guidelines = await list.findByRole('link', { name: 'There are no guidelines yet. Write them first.' })
  expect(guidelines).toHaveAttribute('href', '/projects/harbour/settings')
  expect(list.getByText('3 test questions. Add more, until there are 10.')).toBeVisible()
  expect(list.getByText('Annotators start without a quiz')).toBeVisible()
  expect(list.getByText('1 annotator, 2 open invitations. Each caption needs 3 annotators.')).toBeVisible()
  expect(list.getByText('160 new tasks, 480 assignments. The pay is 105.60.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Start Build HITs' })).toBeEnabled()
})
