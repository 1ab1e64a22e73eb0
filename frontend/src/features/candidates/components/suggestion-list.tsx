import { Disclosure } from '@/components/ui/disclosure'
import { t } from '@/messages/candidates'
import { printable } from '../state/printable'
import { kindName, kindsInWords, type Suggestion } from '../state/suggestions'
import styles from './suggestion-list.module.css'

export interface SuggestionListProps {
  suggestions: readonly Suggestion[]
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** What may need an edit in a caption, and what could stand there instead. Nothing is applied from here. */
export function SuggestionList({ suggestions, isOpen, onToggle }: SuggestionListProps) {
  if (suggestions.length === 0) return null
  return (
    <Disclosure
      tone="accent"
      summary={t.suggestedEdits({ suggestions: kindsInWords(suggestions) })}
      isOpen={isOpen}
      onToggle={onToggle}
      className={styles.suggestions}
    >
      <ul className={styles.list}>
        {suggestions.map((suggestion, place) => (
          <SuggestionLine key={place} suggestion={suggestion} />
        ))}
      </ul>
    </Disclosure>
  )
}

function SuggestionLine({ suggestion: { kind, before, options } }: { suggestion: Suggestion }) {
  return (
    <li className={styles.line}>
      <span className={styles.kind}>{kindName(kind)}</span>
      <span>
        <bdi className={styles.words}>{printable(before)}</bdi>
        {options.length === 0 ? (
          <span className={styles.unknown}>{t.onlyWhoLooks}</span>
        ) : (
          <>
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden">{t.couldBecome}</span>
            <Options options={options} />
          </>
        )}
      </span>
    </li>
  )
}

function Options({ options }: { options: readonly string[] }) {
  return options.map((option, place) => (
    <span key={option}>
      {place > 0 && (place === options.length - 1 ? t.or : ', ')}
      <bdi className={styles.words}>{printable(option)}</bdi>
    </span>
  ))
}
