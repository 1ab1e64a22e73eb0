import { expect, test } from 'vitest'
import type { MyQualification } from '@/lib/api/served'
import { stepsOf } from './quiz-words'

const mine = (guidelines: object, quiz: object): MyQualification =>
  ({ is_qualified: false, guidelines, quiz }) as unknown as MyQualification

test('the steps are what is asked, in order, and the first task ends them', () => {
  const steps = stepsOf(mine({ is_asked: true, is_read: true }, { is_asked: true, is_passed: false }))
  expect(steps).toEqual([
    { label: 'Read the guidelines', isDone: true },
    { label: 'Take the quiz', isDone: false },
    { label: 'Judge captions', isDone: false },
  ])
})

test('what is not asked is no step', () => {
  const steps = stepsOf(mine({ is_asked: false, is_read: false }, { is_asked: true, is_passed: false }))
  expect(steps.map(({ label }) => label)).toEqual(['Take the quiz', 'Judge captions'])
})
