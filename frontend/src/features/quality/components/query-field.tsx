import { useDeferredValue, useState } from 'react'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Query } from '@/lib/api/served'
import { t } from '@/messages/quality'
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
      <TextField label={t.findQuery} hint={t.findQueryHint} value={words} onChange={setWords} />
      {failure && <Notice tone="bad">{asApiError(failure).message}</Notice>}
      <Select
        label={t.query}
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
    return words.trim() ? t.noQueryHasWords : t.noQueries
  }
  if (found === queriesShown) return t.firstListed({ queriesShown })
  return t.judgedAgainst
}
