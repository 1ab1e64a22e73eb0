import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Dialog } from '@/components/ui/dialog'
import { NumberField } from '@/components/ui/number-field'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import { useAddControl } from '../api/controls'
import styles from './drawer.module.css'

const form = 'add-control'
const answers = [
  { value: 'good', label: 'Good' },
  { value: 'bad', label: 'Bad' },
] as const

/** A photograph, a text, and what is beyond doubt about them. */
export function AddControlDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [image, setImage] = useState(NaN)
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<'good' | 'bad'>('bad')
  const [takesUnsure, setTakesUnsure] = useState(false)
  const [isQuiz, setQuiz] = useState(false)
  const [explanation, setExplanation] = useState('')
  const { mutate, isPending, error } = useAddControl(slug)
  const failure = error && asApiError(error)
  const fields = failure?.fieldErrors() ?? {}
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const accepted: Label[] = takesUnsure ? [answer, 'unsure'] : [answer]
    mutate(
      { image, text: text.trim(), accepted, explanation: explanation.trim(), is_quiz: isQuiz },
      {
        onSuccess: () => {
          showToast('The control is added.')
          onClose()
        },
      },
    )
  }
  const footer = (
    <>
      <Button onPress={onClose}>Not now</Button>
      <Button
        type="submit"
        form={form}
        variant="primary"
        isPending={isPending}
        isDisabled={Number.isNaN(image) || text.trim() === ''}
      >
        Add it
      </Button>
    </>
  )
  return (
    <Dialog title="Add a control" isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.parts} onSubmit={add}>
        {failure && Object.keys(fields).length === 0 && <Notice tone="bad">{failure.message}</Notice>}
        <NumberField
          label="Photograph"
          hint="Its number: the last part of the address of its page in the gallery."
          minValue={1}
          autoFocus
          value={image}
          onChange={setImage}
          error={fields.image}
        />
        <TextField
          label="Caption"
          hint="Written for this; it never becomes part of the dataset."
          rows={2}
          value={text}
          onChange={setText}
          error={fields.text}
        />
        <ChoiceGroup label="What is right" choices={answers} value={answer} onChange={setAnswer} />
        <CheckField
          label="Unsure is right too"
          hint="For what is not quite beyond doubt."
          isSelected={takesUnsure}
          onChange={setTakesUnsure}
        />
        <CheckField
          label="Ask it in the quiz"
          hint="Then it is asked openly, with feedback, and never hidden."
          isSelected={isQuiz}
          onChange={setQuiz}
        />
        <TextField
          label="Why it is so"
          hint="Shown after the quiz."
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
