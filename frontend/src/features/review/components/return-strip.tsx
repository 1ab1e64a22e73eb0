import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { KeyCap } from '@/components/ui/key-cap'
import { useLabelLooks } from '@/components/ui/label-looks'
import type { Label } from '@/lib/api/contract'
import { templateName, templateText } from '@/lib/feedback/template-words'
import { useTemplates } from '@/lib/feedback/templates'
import { t } from '@/messages/review'
import { labels } from '../state/votes'
import { Strip } from './strip'
import styles from './strip.module.css'

/** What may go back: the answer of one person on a pair, or one caption of a task. */
export interface Returnable {
  id: number
  /** The name, or a letter while names are hidden; the caption. */
  name: string
  label: Label
}

export interface Returned {
  /** By their ids. */
  chosen: number[]
  text: string
  template: number | null
  label: Label | null
}

export interface ReturnStripProps {
  slug: string
  returnables: readonly Returnable[]
  /** Chosen already. */
  chosen: readonly number[]
  onSend: (returned: Returned) => void
  onCancel: () => void
}

const longest = 2000
const nDigits = 9

/** Words to the people whose work goes back, written under the evidence while the photograph stays in sight. */
export function ReturnStrip({ slug, returnables, chosen, onSend, onCancel }: ReturnStripProps) {
  const looks = useLabelLooks()
  const templates = (useTemplates(slug).data ?? []).slice(0, nDigits)
  const [text, setText] = useState('')
  const [template, setTemplate] = useState<number | null>(null)
  const [label, setLabel] = useState<Label | null>(null)
  const [picked, setPicked] = useState<readonly number[]>(chosen)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const take = (at: number) => {
    const taken = templates[at]
    if (!taken) return
    setText(templateText(taken))
    setTemplate(taken.id)
    field.current?.focus({ preventScroll: true })
  }
  const isReady = text.trim() !== '' && picked.length > 0
  const send = () => {
    if (isReady) onSend({ chosen: [...picked], text: text.trim(), template, label })
  }
  const handleKeys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const digit = text === '' && /^[1-9]$/.test(event.key) ? Number(event.key) : 0
    if (digit > 0 && digit <= templates.length) {
      event.preventDefault()
      take(digit - 1)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
  }
  const toggle = (id: number) =>
    setPicked((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc leaves it from any of its fields.
    <div
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <Strip title={t.returnWithFeedback}>
        {returnables.length > 1 && (
          <fieldset className={styles.people}>
            <legend className="visually-hidden">{t.returnTo}</legend>
            {returnables.map(({ id, name, label: theirs }) => (
              <label key={id}>
                <input type="checkbox" checked={picked.includes(id)} onChange={() => toggle(id)} />
                <span className={styles.name}>{name}</span> · {looks[theirs].word}
              </label>
            ))}
            {picked.length === 0 && <span className={styles.wrong}>{t.chooseSomebody}</span>}
          </fieldset>
        )}
        {templates.length > 0 && (
          <div className={styles.choices} role="group" aria-label={t.templates}>
            {templates.map((each, at) => (
              <button
                key={each.id}
                type="button"
                className={styles.choice}
                aria-pressed={template === each.id}
                onClick={() => take(at)}
              >
                <KeyCap keyName={String(at + 1)} />
                <span>{templateName(each)}</span>
              </button>
            ))}
          </div>
        )}
        <textarea
          ref={field}
          className={styles.field}
          aria-label={t.feedback}
          aria-describedby="return-hint"
          rows={2}
          dir="auto"
          maxLength={longest}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKeys}
        />
        <div className={styles.line}>
          <span className={styles.hint}>{t.rightAnswer}</span>
          <span className={styles.sure} role="radiogroup" aria-label={t.rightAnswer}>
            {[null, ...labels].map((each) => (
              <button
                key={each ?? 'none'}
                type="button"
                role="radio"
                aria-checked={label === each}
                className={label === each ? `${styles.level} ${styles.chosen}` : styles.level}
                onClick={() => setLabel(each)}
              >
                {each === null ? t.notSaid : looks[each].word}
              </button>
            ))}
          </span>
        </div>
        <div className={styles.line}>
          <p id="return-hint" className={styles.hint}>
            {t.feedbackHint}
          </p>
          <Button size="small" variant="quiet" shortcut="Escape" onPress={onCancel}>
            {t.cancel}
          </Button>
          <Button size="small" variant="primary" shortcut="Enter" isDisabled={!isReady} onPress={send}>
            {t.sendReturn}
          </Button>
        </div>
      </Strip>
    </div>
  )
}
