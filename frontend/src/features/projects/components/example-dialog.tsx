import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Dialog } from '@/components/ui/dialog'
import { labelLooksOf } from '@/components/ui/label-looks'
import { type Picture, PicturePicker } from '@/components/ui/picture-picker'
import { TextField } from '@/components/ui/text-field'
import type { Label, Project } from '@/lib/api/contract'
import { optionsOf } from '@/lib/judging/annotation-words'
import { t } from '@/messages/projects'
import type { EditableExample } from '../state/examples'
import styles from './project-settings-page.module.css'

const form = 'guideline-example'

export interface ExampleDialogProps {
  project: Pick<Project, 'slug' | 'direction'>
  /** The example that is changed; null begins a new one. */
  example: EditableExample | null
  onKeep: (example: EditableExample) => void
  onClose: () => void
}

/** A picture, words, how they are rightly judged, and why. Nothing is saved before the whole list is. */
export function ExampleDialog({ project, example, onKeep, onClose }: ExampleDialogProps) {
  const isOfQuery = project.direction === 'images_of_query'
  const looks = labelLooksOf(project.direction)
  const labels = optionsOf([]).map((each) => ({ value: each, label: looks[each].word }))
  const [picture, setPicture] = useState<Picture | null>(example && { id: example.image, thumbnail: example.thumbnail })
  const [text, setText] = useState(example?.text ?? '')
  const [label, setLabel] = useState<Label>(example?.label ?? 'good')
  const [edited, setEdited] = useState(example?.edited_text ?? '')
  const [why, setWhy] = useState(example?.explanation ?? '')
  const isWhole = picture !== null && text.trim() !== '' && why.trim() !== ''
  const keep = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isWhole) return
    const words = { text: text.trim(), edited_text: edited.trim(), explanation: why.trim() }
    onKeep({ image: picture.id, thumbnail: picture.thumbnail, label, ...words })
  }
  const footer = (
    <>
      <Button onPress={onClose}>{t.cancel}</Button>
      <Button type="submit" form={form} variant="primary" isDisabled={!isWhole}>
        {t.keepExample}
      </Button>
    </>
  )
  return (
    <Dialog title={example ? t.changeExample : t.addExample} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.dialogForm} onSubmit={keep}>
        <PicturePicker slug={project.slug} value={picture} onChange={setPicture} />
        <TextField
          label={isOfQuery ? t.exampleQuery : t.exampleCaption}
          rows={2}
          maxLength={isOfQuery ? 500 : 2000}
          value={text}
          onChange={setText}
        />
        <ChoiceGroup label={t.rightVerdict} choices={labels} value={label} onChange={setLabel} />
        {!isOfQuery && (
          <TextField
            label={t.exampleEdited}
            hint={t.exampleEditedHint}
            rows={2}
            maxLength={2000}
            value={edited}
            onChange={setEdited}
          />
        )}
        <TextField label={t.exampleWhy} rows={2} maxLength={500} value={why} onChange={setWhy} />
      </form>
    </Dialog>
  )
}
