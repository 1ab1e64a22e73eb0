import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { t } from '@/messages/candidates'
import { cutAt, isLong, printable } from '../state/printable'
import { kindName, type Segment, segments, type Suggestion } from '../state/suggestions'
import styles from './caption-text.module.css'

export interface CaptionTextProps {
  text: string
  /** Places of the text that may need an edit: they are underlined, and a click on one calls `onSuggestion`. */
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
              <Marked key={place} segment={segment} onClick={onSuggestion} />
            ) : (
              printable(segment.text)
            ),
          )}
          {until < text.length && ' …'}
        </bdi>
      </p>
      {isLong(text) && (
        <Button
          size="small"
          variant="quiet"
          className={styles.more ?? ''}
          aria-expanded={isWhole}
          onPress={() => setWhole(!isWhole)}
        >
          {isWhole ? t.showLess : t.showMore}
        </Button>
      )}
    </div>
  )
}

/**
 * Words that may need an edit, for the pointer. Not a button: the list beneath serves the keyboard, with one stop for a
 * caption and not one for each word.
 */
function Marked({ segment: { text, kinds }, onClick }: { segment: Segment; onClick?: (() => void) | undefined }) {
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the list does the same by key
    <span className={styles.suggested} data-kind={kinds.map(kindName).join(', ')} onClick={onClick}>
      {printable(text)}
    </span>
  )
}
