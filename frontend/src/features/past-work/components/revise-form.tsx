import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChangeList } from '@/components/ui/change-list'
import { CheckField } from '@/components/ui/check-field'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { useLabelLooks } from '@/components/ui/label-looks'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import type { PastItem } from '@/lib/api/served'
import { type EditKind, type Lens, lenses } from '@/lib/judging/annotation-words'
import { editedText } from '@/lib/judging/edits'
import { changeKey, rewritten } from '@/lib/judging/find-edits'
import { editsOf } from '@/lib/judging/fold-edits'
import { longestCaption, longestComment } from '@/lib/judging/limits'
import { saidOf } from '@/lib/judging/said-of'
import { t } from '@/messages/past-work'
import { useRevise } from '../api/revise'
import styles from './past-item.module.css'

export interface ReviseFormProps {
  slug: string
  assignmentId: string
  item: PastItem
  onClose: () => void
}

const labels: readonly Label[] = ['good', 'bad', 'unsure']
const lensChoices: readonly { value: Lens | ''; label: string }[] = [
  { value: '', label: t.noLens },
  ...lenses.map(({ lens, name }) => ({ value: lens, label: name })),
]

/** Everything that can be said of an item, as it stands, to be changed. Esc leaves it. */
export function ReviseForm({ slug, assignmentId, item, onClose }: ReviseFormProps) {
  const { label, setLabel, lens, setLens, comment, setComment, isGeneric, setGeneric, ...caption } = useSaid(item)
  const looks = useLabelLooks()
  const { mutate, isPending, error } = useRevise(slug, assignmentId)
  const keep = (event: SubmitEvent) => {
    event.preventDefault()
    const judgment = {
      ...saidOf(item, label),
      lens: label === 'good' ? lens : ('' as const),
      comment: comment.trim(),
      is_generic: isGeneric,
      edits: caption.edits,
    }
    mutate(judgment, {
      onSuccess: () => {
        showToast(t.kept)
        onClose()
      },
    })
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    onClose()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc leaves the form from any field.
    <form className={styles.form} onSubmit={keep} onKeyDown={leave}>
      <ChoiceGroup
        label={t.answer}
        choices={labels.map((each) => ({ value: each, label: looks[each].word }))}
        value={label}
        onChange={setLabel}
      />
      {label === 'good' && <Select label={t.lens} choices={lensChoices} value={lens} onChange={setLens} />}
      {item.text !== null && (
        <>
          <TextField
            label={t.caption}
            hint={t.captionHint}
            rows={2}
            maxLength={longestCaption}
            value={caption.written}
            onChange={caption.setWritten}
          />
          <ChangeList edits={caption.edits} onKind={(edit, kind) => caption.setKind(changeKey(edit), kind)} />
          <CheckField label={t.tooGeneric} hint={t.tooGenericHint} isSelected={isGeneric} onChange={setGeneric} />
        </>
      )}
      <TextField label={t.comment} rows={2} maxLength={longestComment} value={comment} onChange={setComment} />
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <div className={styles.ways}>
        <Button size="small" type="submit" variant="primary" isPending={isPending} isDisabled={caption.isEmpty}>
          {t.keep}
        </Button>
        <Button size="small" variant="quiet" onPress={onClose}>
          {t.leave}
        </Button>
      </div>
    </form>
  )
}

/** What stands in the fields; edits are found by comparing the caption with what is written. */
function useSaid(item: PastItem) {
  const text = item.text ?? ''
  const [label, setLabel] = useState<Label>(item.label ?? 'unsure')
  const [lens, setLens] = useState<Lens | ''>(item.lens ?? '')
  const [comment, setComment] = useState(item.comment)
  const [isGeneric, setGeneric] = useState(item.is_generic)
  const [written, setWritten] = useState(() => editedText(text, item.edits))
  const [kinds, setKinds] = useState<Record<string, EditKind>>({})
  const now = rewritten(text, written)
  const isSame = written === editedText(text, item.edits) && Object.keys(kinds).length === 0
  const edits = isSame || item.text === null ? item.edits : editsOf(text, now, kinds, item.edits)
  const setKind = (key: string, kind: EditKind) => setKinds({ ...kinds, [key]: kind })
  const isEmpty = item.text !== null && now === ''
  return {
    label,
    setLabel,
    lens,
    setLens,
    comment,
    setComment,
    isGeneric,
    setGeneric,
    written,
    setWritten,
    edits,
    setKind,
    isEmpty,
  }
}
