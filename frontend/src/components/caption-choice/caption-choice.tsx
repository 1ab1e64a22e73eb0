import { type SubmitEvent, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { CaptionChoice as Choice } from '@/lib/api/served'
import { t } from '@/messages/selection'
import styles from './caption-choice.module.css'
import { type ChoiceKind, useChoiceHistory, useChooseCaption } from './choice-api'

export interface CaptionChoiceProps {
  slug: string
  candidate: number
  text: string
  choice: Choice | null
  /** Only a caption with consensus “good” can be pinned. */
  mayPin: boolean
}

/** Whether a person pinned or banned a caption, and the way to do it or to take it back. */
export function CaptionChoice(props: CaptionChoiceProps) {
  const { slug, candidate, text, choice, mayPin } = props
  const [asking, setAsking] = useState<ChoiceKind | null>(null)
  const { mutate, isPending } = useChooseCaption(slug, candidate)
  const takeBack = () =>
    mutate(null, {
      onSuccess: () => showToast(t.appliesLater),
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
  return (
    <span className={styles.choice}>
      {choice ? (
        <>
          <Badge tone={choice.kind === 'pin' ? 'accent' : 'warning'}>
            {choice.kind === 'pin' ? t.pinned : t.banned}
          </Badge>
          <span>
            <bdi>{choice.reason}</bdi> ({choice.made_by})
          </span>
          <Button
            size="small"
            variant="quiet"
            icon="undo"
            isPending={isPending}
            aria-label={t.undoOf({ text })}
            onPress={takeBack}
          >
            {choice.kind === 'pin' ? t.removePin : t.removeBan}
          </Button>
        </>
      ) : (
        <>
          {mayPin && (
            <Button size="small" variant="quiet" aria-label={t.pinOf({ text })} onPress={() => setAsking('pin')}>
              {t.pin}
            </Button>
          )}
          <Button size="small" variant="quiet" aria-label={t.banOf({ text })} onPress={() => setAsking('ban')}>
            {t.ban}
          </Button>
        </>
      )}
      {asking && <ReasonDialog {...props} kind={asking} onClose={() => setAsking(null)} />}
    </span>
  )
}

const form = 'caption-choice'
const longestReason = 300

function ReasonDialog({
  slug,
  candidate,
  text,
  kind,
  onClose,
}: CaptionChoiceProps & { kind: ChoiceKind; onClose: () => void }) {
  const isPin = kind === 'pin'
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useChooseCaption(slug, candidate)
  const choose = (event: SubmitEvent) => {
    event.preventDefault()
    if (!reason.trim()) return
    mutate(
      { kind, reason: reason.trim() },
      {
        onSuccess: () => {
          showToast(t.appliesLater)
          onClose()
        },
      },
    )
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={!reason.trim()}>
        {isPin ? t.pin : t.ban}
      </Button>
    </>
  )
  return (
    <Dialog title={isPin ? t.pinTitle : t.banTitle} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.form} onSubmit={choose}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <p className={styles.text} dir="auto">
          {text}
        </p>
        <p className={styles.note}>{isPin ? t.pinMeans : t.banMeans}</p>
        <TextField
          label={t.reason}
          value={reason}
          onChange={setReason}
          maxLength={longestReason}
          isRequired
          autoFocus
        />
        <History slug={slug} candidate={candidate} />
      </form>
    </Dialog>
  )
}

const words: Record<Choice['kind'], string> = { pin: t.pinned, ban: t.banned, '': t.takenBack }

function History({ slug, candidate }: { slug: string; candidate: number }) {
  const rows = useChoiceHistory(slug, candidate).data ?? []
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className={styles.title}>{t.history}</h3>
      <ul className={styles.history}>
        {rows.map(({ kind, reason, made_by: by, created_at: at }) => (
          <li key={at}>
            <b>{words[kind]}</b> <bdi>{by}</bdi> <RelativeTime at={at} /> <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
