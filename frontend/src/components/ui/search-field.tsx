import { useEffect, useState } from 'react'
import styles from './search-field.module.css'

export interface SearchFieldProps {
  /** Names the field, and stands in it while it is empty. */
  label: string
  words: string
  onSearch: (words: string) => void
}

const pause = 300 // milliseconds without a key, after which the words are searched for

/** Words to search for. The address holds them, so they are sent once the person stops typing. */
export function SearchField({ label, words, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(words)
  const [before, setBefore] = useState(words)
  // The address changed by another way than this field, for example by a button that shows everything.
  if (before !== words) {
    setBefore(words)
    if (typed.trim() !== words) setTyped(words)
  }
  useEffect(() => {
    if (typed.trim() === words) return undefined
    const timer = setTimeout(() => onSearch(typed.trim()), pause)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      dir="auto"
      className={styles.search}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
