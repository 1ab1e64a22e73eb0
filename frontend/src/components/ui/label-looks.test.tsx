import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LabelBadge } from './badge'
import { LabelLooksContext, labelLooksOf } from './label-looks'
import { perLooks, votesInWords } from './label-words'

test('a caption is good or bad, an image of a query relevant or irrelevant', () => {
  render(<LabelBadge label="bad" />)
  render(
    <LabelLooksContext value={labelLooksOf('images_of_query')}>
      <LabelBadge label="good" />
    </LabelLooksContext>,
  )
  expect(screen.getByText('Bad')).toBeVisible()
  expect(screen.getByText('Relevant')).toBeVisible()
  expect(screen.queryByText('Good')).toBeNull()
})

test('votes are told in the words of the project', () => {
  const votes = { good: 1200, bad: 1, unsure: 0 }
  expect(votesInWords(votes, labelLooksOf('captions_of_image'))).toBe('1,200 good, 1 bad, 0 unsure')
  expect(votesInWords(votes, labelLooksOf('images_of_query'))).toBe('1,200 relevant, 1 irrelevant, 0 unsure')
})

test('what is made of the words is made once', () => {
  const specs = perLooks(({ good }) => [good.said])
  expect(specs(labelLooksOf('images_of_query'))).toBe(specs(labelLooksOf('images_of_query')))
  expect(specs(labelLooksOf('captions_of_image'))).toEqual(['good'])
})
