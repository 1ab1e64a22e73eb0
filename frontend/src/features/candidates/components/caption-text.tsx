import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cutAt, isLong, printable } from '../state/printable'
import { kindName, type Segment, segments, type Suggestion } from '../state/suggestions'
import styles from './caption-text.module.css'

export interface CaptionTextProps {
  text: string
  /** Places of the text that may need an edit: they are underlined, and pressing one calls `onSuggestion`. */
  suggestions?: readonly Suggestion[]
  onSuggestion?: () => void
}

const none: readonly Suggestion[] = []

/** A caption as text, whatever stands in it: isolated in its own direction, cut where it is very long. */
export function CaptionText({ text, suggestions = none, onSuggestion }: CaptionTextProps) {
  const [isWhole, setWhole] = useState(false)
  const until = isWhole ? text.length : cutAt(text)
  return (
    <div className={styles.caption}>
      <p className={styles.text} dir="auto">
        <bdi>
          {segments(text, suggestions, until).map((segment, place) =>
            segment.kinds.length > 0 ? (
              <Marked key={place} segment={segment} onPress={onSuggestion} />
            ) : (
              printable(segment.text)
            ),
          )}
          {until < text.length && ' …'}
        </bdi>
      </p>
      {isLong(text) && (
        <Button size="small" variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show more'}
        </Button>
      )}
    </div>
  )
}

/** Words that may need an edit. A span and not a button: it breaks over lines as the text around it does. */
function Marked({ segment: { text, kinds }, onPress }: { segment: Segment; onPress?: (() => void) | undefined }) {
  const names = kinds.map(kindName).join(', ')
  return (
    <span
      className={styles.suggested}
      role="button"
      tabIndex={0}
      aria-label={`${printable(text)}, ${names.toLowerCase()}: suggested edit`}
      data-kind={names}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPress?.()
      }}
    >
      {printable(text)}
    </span>
  )
}
