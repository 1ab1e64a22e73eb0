import { useDeferredValue, useState } from 'react'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Query } from '@/lib/api/served'
import { queriesShown, useQueries } from '../api/get-queries'

export interface QueryFieldProps {
  slug: string
  value: Query | null
  onChange: (query: Query) => void
  error?: string | undefined
}

/** Picks one of the project's queries, of which there may be thousands: found by its words, then chosen. */
export function QueryField({ slug, value, onChange, error }: QueryFieldProps) {
  const [words, setWords] = useState('')
  const { data: found = [], error: failure, isSuccess } = useQueries(slug, useDeferredValue(words.trim()))
  const queries = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found
  const pick = (id: string) => {
    const query = queries.find((each) => String(each.id) === id)
    if (query) onChange(query)
  }
  return (
    <>
      <TextField label="Find a query" hint="Some of its words." value={words} onChange={setWords} />
      {failure && <Notice tone="bad">{asApiError(failure).message}</Notice>}
      <Select
        label="Query"
        choices={queries.map(({ id, text }) => ({ value: String(id), label: text }))}
        value={value && String(value.id)}
        onChange={pick}
        hint={hintOf(found.length, isSuccess, words)}
        error={error}
      />
    </>
  )
}

function hintOf(found: number, isRead: boolean, words: string): string {
  if (isRead && found === 0) {
    return words.trim() ? 'No query has these words.' : 'The project has no queries yet: they come first.'
  }
  if (found === queriesShown) return `Only the first ${queriesShown} are listed: give more of its words.`
  return 'What the photograph is judged against.'
}
