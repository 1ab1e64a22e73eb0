import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { KeyCap } from '@/components/ui/key-cap'
import { useLabelLooks } from '@/components/ui/label-looks'
import { isComposing, isTyping, pressedKeys } from '@/lib/actions/keys'
import type { Label } from '@/lib/api/contract'
import { backKey, onwardKey } from '@/lib/language/direction'
import { t } from '@/messages/review'
import { type Confidence, type ReasonTag, reasonTags } from '../api/shapes'
import { tagWords } from '../state/case-words'
import styles from './strip.module.css'

/**
 * Keys of a small question under the evidence. They come before those of the page, and the focus stays where it is:
 * `handle` tells whether the key was its own.
 */
function useStripKeys(handle: (keys: readonly string[]) => boolean): void {
  const newest = useRef(handle)
  useEffect(() => {
    newest.current = handle
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isComposing(event) || event.repeat) return
      if (!newest.current(pressedKeys(event))) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

const digitOf = (keys: readonly string[]): number => Number(keys.find((key) => /^[1-9]$/.test(key)) ?? 0)

const sureness: readonly { value: Confidence; words: string }[] = [
  { value: 1, words: t.lowConfidence },
  { value: 2, words: t.middleConfidence },
  { value: 3, words: t.highConfidence },
]

export interface WhyStripProps {
  label: Label
  onChoose: (reason: ReasonTag | null, confidence: Confidence) => void
  onCancel: () => void
}

/** Why an answer is corrected, and how sure that is. A digit chooses and decides; Enter decides without a reason. */
export function WhyStrip({ label, onChoose, onCancel }: WhyStripProps) {
  const looks = useLabelLooks()
  const [confidence, setConfidence] = useState<Confidence>(3)
  const shift = (by: 1 | -1) => setConfidence((now) => Math.min(3, Math.max(1, now + by)) as Confidence)
  useStripKeys((keys) => {
    const tag = reasonTags[digitOf(keys) - 1]
    if (tag) onChoose(tag, confidence)
    else if (keys.includes('Enter')) onChoose(null, confidence)
    else if (keys.includes('Escape')) onCancel()
    else if (keys.includes(onwardKey)) shift(1)
    else if (keys.includes(backKey)) shift(-1)
    else return false
    return true
  })
  return (
    <Strip
      title={t.becauseWhy({ label: looks[label].word })}
      tone={label}
      tools={
        <>
          <span className={styles.sure} role="radiogroup" aria-label={t.confidence}>
            {sureness.map(({ value, words }) => (
              <button
                key={value}
                type="button"
                role="radio"
                aria-checked={confidence === value}
                className={cx(styles.level, confidence === value && styles.chosen)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => setConfidence(value)}
              >
                {words}
              </button>
            ))}
          </span>
          <Button size="small" variant="quiet" preventFocusOnPress shortcut="Escape" onPress={onCancel}>
            {t.cancel}
          </Button>
        </>
      }
    >
      <div className={styles.choices}>
        {reasonTags.map((tag, place) => (
          <Choice key={tag} digit={place + 1} onPress={() => onChoose(tag, confidence)}>
            {tagWords[tag]}
          </Choice>
        ))}
        <Button
          size="small"
          variant="primary"
          preventFocusOnPress
          shortcut="Enter"
          onPress={() => onChoose(null, confidence)}
        >
          {t.withoutReason}
        </Button>
      </div>
    </Strip>
  )
}

const mostMore = 5

/** How many more people shall answer. */
export function MoreStrip({ onChoose, onCancel }: { onChoose: (k: number) => void; onCancel: () => void }) {
  useStripKeys((keys) => {
    const k = digitOf(keys)
    if (k >= 1 && k <= mostMore) onChoose(k)
    else if (keys.includes('Enter')) onChoose(1)
    else if (keys.includes('Escape')) onCancel()
    else return k > 0
    return true
  })
  return (
    <Strip title={t.howMany}>
      <div className={styles.line}>
        {Array.from({ length: mostMore }, (_, at) => (
          <Choice key={at} digit={at + 1} onPress={() => onChoose(at + 1)} />
        ))}
        <Button size="small" variant="quiet" preventFocusOnPress shortcut="Escape" onPress={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </Strip>
  )
}

interface StripProps {
  title: string
  tone?: Label
  /** Beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** A question in its place under the evidence: nothing lies over the photograph. */
export function Strip({ title, tone, tools, children }: StripProps) {
  return (
    <section className={cx(styles.strip, tone && styles[tone])} aria-label={title} data-strip="">
      <div className={styles.line}>
        <h3 className={styles.title}>{title}</h3>
        {tools}
      </div>
      {children}
    </section>
  )
}

interface ChoiceProps {
  digit: number
  onPress: () => void
  children?: string
}

function Choice({ digit, onPress, children }: ChoiceProps) {
  return (
    <button
      type="button"
      className={styles.choice}
      aria-keyshortcuts={String(digit)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children === undefined ? (
        <span className={styles.number}>{digit}</span>
      ) : (
        <>
          <KeyCap keyName={String(digit)} />
          <span>{children}</span>
        </>
      )}
    </button>
  )
}
