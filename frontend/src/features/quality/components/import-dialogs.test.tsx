import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type * as Catalogue from '@/lib/language/catalogue'
import { alice, curated } from '@/testing/catalogue-data'
import { fileField } from '@/testing/file-field'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ImportControlsDialog } from './import-controls-dialog'
import { ImportJudgmentsDialog } from './import-judgments-dialog'

/** A language in which one reason has a sentence. */
vi.mock('@/lib/language/catalogue', async (original) => {
  const catalogue: typeof Catalogue = await original()
  const inOurLanguage = (code: string, _: unknown, said: string) =>
    code === 'row_is_gold' ? 'Als sicher richtig markiert.' : said
  return { ...catalogue, inOurLanguage }
})

test('judgments made elsewhere are sent with what their labels mean, and the page tells what came of them', async () => {
  let sent: FormData | undefined
  server.use(
    http.post('*/judgments/import', async ({ request }) => {
      sent = await request.formData()
      const refused = [{ code: 'row_no_pair', why: 'No pair has this key.', n: 3, places: 'line 2, line 7, line 9' }]
      refused.push({ code: 'row_is_gold', why: 'It is marked as a correct answer.', n: 1, places: 'line 4' })
      return HttpResponse.json({ n_new: 40, n_there: 2, n_people: 5, n_refused: 3, refused })
    }),
  )
  const { user } = renderPage(<ImportJudgmentsDialog project={curated} onClose={() => undefined} />, alice)
  const dialog = await screen.findByRole('dialog', { name: 'Import answers' })
  expect(within(dialog).getByRole('button', { name: 'Import' })).toBeDisabled()
  await user.upload(fileField(dialog), new File(['task,worker,label'], 'crowd.csv', { type: 'text/csv' }))
  await user.type(within(dialog).getByRole('textbox', { name: 'Labels in the file' }), 'fits=good')
  await user.click(within(dialog).getByRole('button', { name: 'Import' }))
  expect(await within(dialog).findByText('No pair has this key.')).toBeVisible()
  expect(within(dialog).getByText('Als sicher richtig markiert.')).toBeVisible()
  expect(within(dialog).getByText('3 times, at line 2, line 7, line 9:')).toBeVisible()
  expect(within(dialog).getByRole('status')).toHaveTextContent(
    '40 answers added from 5 annotators, 2 already known, 3 rows rejected.',
  )
  expect([sent?.get('labels'), sent?.has('file'), sent?.has('queries')]).toEqual(['fits=good', true, false])
})

test('a file whose columns have other names is sent with what they are here', async () => {
  let sent: FormData | undefined
  server.use(
    http.post('*/judgments/import', async ({ request }) => {
      sent = await request.formData()
      return HttpResponse.json({ n_new: 1, n_there: 0, n_people: 1, n_refused: 0, refused: [] })
    }),
  )
  const { user } = renderPage(<ImportJudgmentsDialog project={curated} onClose={() => undefined} />, alice)
  const dialog = await screen.findByRole('dialog', { name: 'Import answers' })
  await user.upload(fileField(dialog), new File(['photo,words,who,mood'], 'crowd.csv', { type: 'text/csv' }))
  expect(within(dialog).queryByRole('textbox', { name: 'Task column' })).not.toBeInTheDocument()
  await user.click(within(dialog).getByText('The columns have other names'))
  await user.type(await within(dialog).findByRole('textbox', { name: 'Task column' }), 'photo,words')
  await user.type(within(dialog).getByRole('textbox', { name: 'Annotator column' }), 'who')
  await user.type(within(dialog).getByRole('textbox', { name: 'Label column' }), 'mood')
  await user.type(within(dialog).getByRole('textbox', { name: 'Annotator of the file' }), 'mia')
  await user.click(within(dialog).getByText('The columns have other names'))
  await user.click(within(dialog).getByRole('button', { name: 'Import' }))
  expect(await within(dialog).findByText('1 answer added from 1 annotator.')).toBeVisible()
  expect(['task', 'worker', 'label', 'annotator', 'labels'].map((name) => sent?.get(name))).toEqual([
    'photo,words',
    'who',
    'mood',
    'mia',
    '',
  ])
})

test('rows that an import refuses come back with their reasons', async () => {
  server.use(
    http.post('*/controls/import', () =>
      HttpResponse.json({
        n_new: 2,
        n_known: 1,
        refused: [{ line: 4, name: '', code: 'unknown_image', message: 'No image has the key “x”.' }],
      }),
    ),
  )
  const { user } = renderPage(<ImportControlsDialog slug="harbour" onClose={() => undefined} />, alice)
  const dialog = await screen.findByRole('dialog', { name: 'Import test questions' })
  await user.upload(fileField(dialog), new File(['image,text,accepted'], 'controls.csv', { type: 'text/csv' }))
  await user.click(within(dialog).getByRole('button', { name: 'Import' }))
  expect(await within(dialog).findByText('No image has the key “x”.')).toBeVisible()
  expect(within(dialog).getByRole('status')).toHaveTextContent(
    '2 test questions added, 1 already known, 1 row rejected.',
  )
})
