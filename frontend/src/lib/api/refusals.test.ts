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

test('a sentence of its own tells more than a code that stands for many', async () => {
  const ApiError = await errorsIn('de')
  const here = { ...said, code: 'not_found', message: 'This project has no such judgment.' }
  expect(new ApiError(404, here).message).toBe('Dieses Projekt hat kein solches Urteil.')
})

test('what is said to those who run a project is known from the first of their pages on', async () => {
  const ApiError = await errorsIn('de')
  const moved = { ...said, code: 'moved', message: 'Somebody decided of an annotator.' }
  expect(new ApiError(409, moved).message).toBe(moved.message)
  await (await import('@/lib/language/catalogue')).atDesk(() => Promise.resolve())()
  expect(new ApiError(409, moved).message).toMatch(/^Jemand hat über eine Person entschieden/)
})

test('what has no German sentence is said as the server said it', async () => {
  const ApiError = await errorsIn('de')
  expect(new ApiError(409, { ...late, code: 'of_tomorrow' }).message).toBe(late.message)
})
