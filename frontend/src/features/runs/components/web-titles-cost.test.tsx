import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { WebTitlesEstimate } from '@/lib/api/served'
import { alice, curated, parameter, stage, walk } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WalkPage } from './walk-page'

const some: WebTitlesEstimate = {
  n_images: 200,
  n_cached: 60,
  n_to_ask: 140,
  units: 140,
  least_cost: '0.00',
  cost: '0.49',
  currency: 'USD',
  has_key: true,
}

const most = parameter('most_units', { kind: 'int', default: 100, label: 'Limit', unit: 'images' })

/** The dialog of the stage, with what the server thinks it takes. */
function ask(changes: Partial<WebTitlesEstimate>, mostUnits: number) {
  const titles = stage('web_titles', {
    label: 'Web titles',
    state: 'ready',
    last_run: null,
    optional: true,
    parameters: [most],
  })
  server.use(
    http.get('*/projects/:slug/walk', () => HttpResponse.json({ ...walk(), stages: [...walk().stages, titles] })),
    http.get('*/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/projects/:slug/web-titles/estimate', () => HttpResponse.json({ ...some, ...changes })),
  )
  const asked = { stage: 'web_titles', values: { most_units: mostUnits } }
  return renderPage(<WalkPage project={curated} asked={asked} />, alice)
}

test('what it takes stands in the dialog before anything is sent', async () => {
  ask({}, 200)
  const shown = await screen.findByRole('region', { name: 'Expected cost' })
  expect(await screen.findByText('140 of 200 images')).toBeVisible()
  for (const words of ['60 images, free', '140 units', '0.00 to 0.49 USD, depending on the free units', 'KeySet']) {
    expect(shown).toHaveTextContent(words)
  }
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('a limit that is too low is said, for nothing would be sent, until it is raised', async () => {
  const { user } = ask({}, 100)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '140 images must be looked up. This run may look up 100, so it sends nothing.',
  )
  const field = screen.getByRole('textbox', { name: 'Limit (images)' })
  await user.clear(field)
  await user.type(field, '140')
  await user.tab()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('without a key it says so, and that the walk goes on', async () => {
  ask({ has_key: false }, 100)
  expect(await screen.findByText(/CONNOTE_GOOGLE_VISION_KEY\)\. Nothing is sent/)).toHaveTextContent(
    'The pipeline continues without web titles',
  )
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('when every image was asked about before, nothing is paid', async () => {
  ask({ n_cached: 200, n_to_ask: 0, units: 0, cost: '0.00' }, 100)
  expect(await screen.findByText(/Every image was looked up before/)).toBeVisible()
  expect(screen.getByText('No cost')).toBeVisible()
})

test('an estimate that cannot be had does not keep the stage from starting', async () => {
  ask({}, 100)
  server.use(http.get('*/projects/:slug/web-titles/estimate', () => refusal(400, 'bad', 'The price is not a number.')))
  expect(await screen.findByText(/The cost could not be calculated\. The price is not a number\./)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Start Web titles' })).toBeEnabled()
})
