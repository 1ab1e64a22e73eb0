import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { useLabelLooks } from '@/components/ui/label-looks'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import type { FeedbackTemplate } from '@/lib/api/served'
import type { FeedbackDraft } from '@/lib/feedback/send-feedback'
import { templateName, templateText } from '@/lib/feedback/template-words'
import { useTemplates } from '@/lib/feedback/templates'
import { t } from '@/messages/remarks'
import styles from './feedback-composer.module.css'

const longest = 2000
const longestExample = 500
const labels: readonly Label[] = ['good', 'bad', 'unsure']

/** What was written and not sent, by the answer it is about: closing the form loses nothing. */
const kept = new Map<string, FeedbackDraft>()
const nothing: FeedbackDraft = { text: '', template: null, label: null, isForAll: false, isExample: false }

export interface FeedbackFormProps {
  slug: string
  /** Names what it is about, so that a draft is found again. */
  draftKey: string
  /** To whom it goes, in the sentence over the form. */
  title: string
  hint?: string | undefined
  /** One answer: which is correct can be said. */
  asksLabel?: boolean
  /** How many people gave the same answer, and which; offered from two on. */
  same?: { n: number; label: Label } | undefined
  /** A curator may put the pair into the guidelines. */
  offersExample?: boolean
  isPending: boolean
  error: unknown
  /** `done` after it was sent: the draft is forgotten. */
  onSend: (draft: FeedbackDraft, done: () => void) => void
  onClose: () => void
}

/** Words to one person, from a template or free: under what they are about, never over it. */
export function FeedbackForm(props: FeedbackFormProps) {
  const { slug, draftKey, title, hint, asksLabel = false, same, offersExample = false, isPending, error } = props
  const looks = useLabelLooks()
  const [draft, setDraft] = useState(() => kept.get(draftKey) ?? nothing)
  const change = (changed: Partial<FeedbackDraft>) => {
    const next = { ...draft, ...changed }
    kept.set(draftKey, next)
    setDraft(next)
  }
  const text = draft.text.trim()
  const isTooLong = draft.isExample && text.length > longestExample
  const canSend = text !== '' && !isTooLong && !(draft.isExample && draft.label === null) && !isPending
  const send = () => {
    if (canSend) props.onSend({ ...draft, text }, () => kept.delete(draftKey))
  }
  // Before the buttons of the form, which keep Enter to themselves.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      props.onClose()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
    }
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form className={styles.form} aria-label={title} onSubmit={onSubmit} onKeyDownCapture={onKeyDown}>
      <p className={styles.title}>{title}</p>
      <Templates slug={slug} draft={draft} onChange={change} />
      <TextField
        label={t.text}
        {...(hint && { hint })}
        error={isTooLong ? t.exampleTooLong({ most: longestExample }) : undefined}
        rows={3}
        maxLength={longest}
        autoFocus
        value={draft.text}
        onChange={(value) => change({ text: value })}
      />
      {asksLabel && <RightLabel value={draft.label} onChange={(label) => change({ label })} />}
      {same && same.n > 1 && (
        <CheckField
          label={t.sendToAll({ n: same.n, label: looks[same.label].word })}
          isSelected={draft.isForAll}
          onChange={(isForAll) => change({ isForAll })}
        />
      )}
      {offersExample && (
        <CheckField
          label={t.addExample}
          hint={t.addExampleHint}
          isSelected={draft.isExample}
          onChange={(isExample) => change({ isExample })}
        />
      )}
      {Boolean(error) && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <div className={styles.row}>
        <Button
          size="small"
          type="submit"
          variant="primary"
          shortcut="Mod+Enter"
          isPending={isPending}
          isDisabled={!canSend && !isPending}
        >
          {t.send}
        </Button>
        <NotNow size="small" variant="quiet" onPress={props.onClose} />
      </div>
    </form>
  )
}

interface TemplatesProps {
  slug: string
  draft: FeedbackDraft
  onChange: (changed: Partial<FeedbackDraft>) => void
}

/** One press chooses the kind and writes its words, unless other words are there already. */
function Templates({ slug, draft, onChange }: TemplatesProps) {
  const templates = useTemplates(slug).data ?? []
  if (templates.length === 0) return null
  const isUntouched = draft.text.trim() === '' || templates.some((each) => templateText(each) === draft.text)
  const choose = (template: FeedbackTemplate) => {
    if (template.id === draft.template) onChange({ template: null, ...(isUntouched && { text: '' }) })
    else onChange({ template: template.id, ...(isUntouched && { text: templateText(template) }) })
  }
  return (
    <div className={styles.row} role="group" aria-label={t.template}>
      {templates.map((template) => (
        <Button
          key={template.id}
          size="small"
          aria-pressed={template.id === draft.template}
          onPress={() => choose(template)}
        >
          {templateName(template)}
        </Button>
      ))}
    </div>
  )
}

function RightLabel({ value, onChange }: { value: Label | null; onChange: (label: Label | null) => void }) {
  const looks = useLabelLooks()
  return (
    <div className={styles.row} role="group" aria-label={t.right}>
      <span className={styles.label}>{t.right}</span>
      {labels.map((label) => (
        <Button
          key={label}
          size="small"
          icon={looks[label].icon}
          aria-pressed={label === value}
          onPress={() => onChange(label === value ? null : label)}
        >
          {looks[label].word}
        </Button>
      ))}
    </div>
  )
}
