import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Dialog } from '@/components/ui/dialog'
import { labelLooksOf } from '@/components/ui/label-looks'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { type Picture, PicturePicker } from '@/components/ui/picture-picker'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label, Project } from '@/lib/api/contract'
import type { Query } from '@/lib/api/served'
import { t } from '@/messages/quality'
import { useAddControl } from '../api/controls'
import { QueryField } from './query-field'
import styles from './standing-form.module.css'

const form = 'add-control'
/** The fields that show what the server says of them. */
const asked = ['text', 'query', 'explanation']

export interface AddControlDialogProps {
  project: Pick<Project, 'slug' | 'direction'>
  onClose: () => void
}

/** A photograph, a text or one of the project's queries, and what is beyond doubt about them. */
export function AddControlDialog({ project: { slug, direction }, onClose }: AddControlDialogProps) {
  const isOfQuery = direction === 'images_of_query'
  const { good, bad } = labelLooksOf(direction)
  const answers = [
    { value: 'good', label: good.word },
    { value: 'bad', label: bad.word },
  ] as const
  const [picture, setPicture] = useState<Picture | null>(null)
  const [text, setText] = useState('')
  const [query, setQuery] = useState<Query | null>(null)
  const [answer, setAnswer] = useState<'good' | 'bad'>('bad')
  const [takesUnsure, setTakesUnsure] = useState(false)
  const [isQuiz, setQuiz] = useState(false)
  const [explanation, setExplanation] = useState('')
  const { mutate, isPending, error } = useAddControl(slug)
  const failure = error && asApiError(error)
  const fields = failure ? failure.fieldErrors() : {}
  const untold = Object.keys(fields).every((field) => !asked.includes(field))
  const words = isOfQuery ? query && { query: query.id } : text.trim() && { text: text.trim() }
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    if (!words || !picture) return
    const accepted: Label[] = takesUnsure ? [answer, 'unsure'] : [answer]
    mutate(
      { image: picture.id, ...words, accepted, explanation: explanation.trim(), is_quiz: isQuiz },
      {
        onSuccess: () => {
          showToast(t.controlAdded)
          onClose()
        },
      },
    )
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={!picture || !words}>
        {t.addIt}
      </Button>
    </>
  )
  return (
    <Dialog title={t.addControl} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.parts} onSubmit={add}>
        {failure && untold && <Notice tone="bad">{Object.values(fields).join(' ') || failure.message}</Notice>}
        <PicturePicker slug={slug} value={picture} onChange={setPicture} />
        {isOfQuery ? (
          <QueryField slug={slug} value={query} onChange={setQuery} error={fields.query} />
        ) : (
          <TextField
            label={t.caption}
            hint={t.captionHint}
            rows={2}
            value={text}
            onChange={setText}
            error={fields.text}
          />
        )}
        <ChoiceGroup label={t.whatIsRight} choices={answers} value={answer} onChange={setAnswer} />
        <CheckField
          label={t.unsureRightToo}
          hint={t.unsureRightHint}
          isSelected={takesUnsure}
          onChange={setTakesUnsure}
        />
        <CheckField label={t.askInQuiz} hint={t.askInQuizHint} isSelected={isQuiz} onChange={setQuiz} />
        <TextField
          label={t.whySo}
          hint={t.shownAfterQuiz}
          rows={2}
          maxLength={500}
          value={explanation}
          onChange={setExplanation}
          error={fields.explanation}
        />
      </form>
    </Dialog>
  )
}
