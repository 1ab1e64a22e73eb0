import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '@/testing/render-app'
import { HelpPage } from './help-page'

const pages = [
  {
    page: 'Pipeline',
    actions: [{ id: 'walk.next', name: 'Start the next stage', label: 'Start', keys: ['n'], scope: 'walk' }],
  },
  {
    page: 'Cleaning',
    actions: [{ id: 'funnel.drop', name: 'Remove this caption', label: 'Remove', keys: ['x'], scope: 'funnel' }],
  },
]

test('one search goes over guides, words and shortcuts, and says when nothing is found', async () => {
  const { user } = renderPage(<HelpPage pages={pages} />)
  const search = await screen.findByRole('searchbox', { name: 'Search help' })
  await user.type(search, 'STAGE pipeline')
  const words = within(screen.getByRole('region', { name: 'Words' }))
  expect(words.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Pipeline', 'Stage'])
  expect(within(screen.getByRole('region', { name: 'Guides' })).getByRole('heading', { level: 3 })).toHaveTextContent(
    'Start a project',
  )
  await user.clear(search)
  await user.type(search, 'next stage')
  const keys = within(screen.getByRole('region', { name: 'Shortcuts' }))
  expect(keys.getByRole('term')).toHaveTextContent('Start the next stage')
  expect(keys.getByText('N').tagName).toBe('KBD')
  await user.clear(search)
  await user.type(search, 'zeppelin')
  expect(screen.getByText('Nothing has these words')).toBeVisible()
  expect(screen.queryByRole('region')).not.toBeInTheDocument()
})
