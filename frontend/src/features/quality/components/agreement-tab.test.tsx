import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { slice } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AgreementTab } from './agreement-tab'

test('where nothing can be compared yet no shares of labels are told', async () => {
  const whole = slice('')
  const figures = whole.figures.map((figure) => ({ ...figure, value: null, interval: null, prevalence: {} }))
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({ scope: 'overall', as_of: null, is_stale: false, slices: [{ ...whole, figures }] }),
    ),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: [], pairs: [] }),
    ),
  )
  renderPage(<AgreementTab project={curated} />, alice)
  expect(await screen.findByText('30 answers on 10 pairs.')).toBeVisible()
})

test('the share of the drawings without a figure stands by the interval, and where days are shown, what they hold', async () => {
  const [figure] = slice('').figures
  const interval = figure?.interval && { ...figure.interval, undefined_share: 0.37 }
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({
        scope: 'overall',
        as_of: null,
        is_stale: false,
        slices: [{ ...slice('2026-W02'), figures: [{ ...figure, interval }] }],
      }),
    ),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: [], pairs: [] }),
    ),
  )
  const { user } = renderPage(<AgreementTab project={curated} />, alice)
  await waitFor(() => expect(screen.getAllByText('37% of resamples undefined')).toHaveLength(2))
  expect(screen.getAllByTitle('37% of resamples had no value and are left out')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: /Groups/ }))
  await user.click(screen.getByRole('option', { name: 'By day' }))
  expect(await screen.findByText(/Answers from a file belong to the day of the import/)).toBeVisible()
})

test.each([
  { direction: 'captions_of_image' as const, drawn: /bootstrap over images/ },
  { direction: 'images_of_query' as const, drawn: /bootstrap over queries/ },
])('the note says what the intervals of $direction are drawn over', async ({ direction, drawn }) => {
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({ scope: 'overall', as_of: null, is_stale: false, slices: [slice('')] }),
    ),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: [], pairs: [] }),
    ),
  )
  renderPage(<AgreementTab project={{ ...curated, direction }} />, alice)
  expect(await screen.findByText(drawn)).toBeVisible()
})
