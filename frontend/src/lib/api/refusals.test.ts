import { afterEach, expect, test, vi } from 'vitest'

const said = { details: null, request_id: null }
const late = { code: 'lease_expired', message: 'Your time for this task ended.', ...said }

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
  expect(new ApiError(409, late).message).toBe(late.message)
})

test('a German page says it in German by its code, however the English is worded', async () => {
  const ApiError = await errorsIn('de')
  expect(new ApiError(409, late).message).toMatch(/^Deine Zeit für diese Aufgabe ist abgelaufen/)
})

test('the values of a sentence stand in the German one, numbers as German writes them', async () => {
  const ApiError = await errorsIn('de')
  const body = { ...late, code: 'edits_too_long', details: { position: 3, most: 16_000 } }
  expect(new ApiError(400, body).message).toBe(
    'Eintrag 3: Der geänderte Bildtext hat mehr als 16.000 Zeichen. Kürze die Änderungen.',
  )
  const without = { ...body, details: { position: 3 } }
  expect(new ApiError(400, without).message).toBe(late.message)
})

test('each field of a form has its sentences in German, and the first is that of the whole form', async () => {
  const ApiError = await errorsIn('de')
  const fields = {
    name: [
      { code: 'required', message: 'Fill in this field.', params: {} },
      { code: 'of_tomorrow', message: 'Odd.', params: {} },
    ],
    overlap: [{ code: 'too_high', message: 'Enter 50 or less.', params: { most: 50 } }],
  }
  const error = new ApiError(400, { ...said, code: 'invalid', message: 'name: Fill in this field.', fields })
  expect(error.fieldErrors()).toEqual({ name: 'Fülle dieses Feld aus. Odd.', overlap: 'Gib höchstens 50 ein.' })
  expect(error.message).toBe('name: Fülle dieses Feld aus.')
})

test('what is said to those who run a project is known from the first of their pages on', async () => {
  const ApiError = await errorsIn('de')
  const moved = { ...said, code: 'moved', message: 'A person changed a status.' }
  expect(new ApiError(409, moved).message).toBe(moved.message)
  await (await import('@/lib/language/catalogue')).atDesk(() => Promise.resolve())()
  expect(new ApiError(409, moved).message).toMatch(/^Der Status einer Person hat sich gleichzeitig geändert/)
})

test('what has no German sentence is said as the server said it', async () => {
  const ApiError = await errorsIn('de')
  expect(new ApiError(409, { ...late, code: 'of_tomorrow' }).message).toBe(late.message)
})
