import { afterEach, expect, test, vi } from 'vitest'

const said = { details: null, request_id: null }
const late = { code: 'lease_expired', message: 'Your time for this page ran out.', ...said }

/** The module as a page in this language has it. */
async function errorsIn(language: string) {
  localStorage.setItem('connote.language', language)
  vi.resetModules()
  return (await import('./api-error')).ApiError
}

afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

test('an English page says what the server says', async () => {
  const ApiError = await errorsIn('en')
  expect(new ApiError(409, late).message).toBe('Your time for this page ran out.')
})

test('a German page says it in German, by its code, at a field by its sentence', async () => {
  const ApiError = await errorsIn('de')
  expect(new ApiError(409, late).message).toMatch(/^Deine Zeit für dieses HIT ist abgelaufen/)
  const wrong = { ...said, code: 'invalid', message: 'name: This field is required.' }
  const error = new ApiError(400, { ...wrong, details: { name: ['This field is required.', 'Odd.'] } })
  expect(error.message).toBe('Etwas von dem, was du gesendet hast, ist so nicht verwendbar.')
  expect(error.fieldErrors()).toEqual({ name: 'Das muss ausgefüllt sein. Odd.' })
})

test('what has no German sentence is said as the server said it', async () => {
  const ApiError = await errorsIn('de')
  expect(new ApiError(409, { ...late, code: 'of_tomorrow' }).message).toBe(late.message)
})
