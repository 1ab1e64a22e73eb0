import { useState } from 'react'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Control } from '@/lib/api/served'
import { t } from '@/messages/quality'
import { useChangeControl, useDeleteControl } from '../api/controls'
import { controlLooks, whyInWords } from '../state/quality-words'
import styles from './controls-tab.module.css'
import { StateBadge } from './state-badge'

export interface ControlRowProps {
  slug: string
  control: Control
  mayCurate: boolean
}

/** One control: the pair, what is right of it, what people made of it, and why it is out of use where it is. */
export function ControlRow({ slug, control, mayCurate }: ControlRowProps) {
  const { small } = control.image.thumbnail
  return (
    <li className={styles.row}>
      <img
        className={styles.thumbnail}
        src={small.url}
        alt=""
        width={small.width}
        height={small.height}
        loading="lazy"
      />
      <div className={styles.words}>
        <p className={styles.text} dir="auto">
          {control.text}
        </p>
        <p className={styles.badges}>
          {control.accepted.map((label) => (
            <LabelBadge key={label} label={label} />
          ))}
          {control.is_quiz && <Badge tone="accent">{t.quiz}</Badge>}
          {(!control.is_quiz || control.state !== 'active') && <StateBadge look={controlLooks[control.state]} />}
        </p>
        {control.explanation && <p className={styles.muted}>{control.explanation}</p>}
        {control.why && <p className={styles.muted}>{whyInWords(control.why)}</p>}
        <p className={styles.muted}>{metInWords(control)}</p>
      </div>
      {mayCurate && <Deeds slug={slug} control={control} />}
    </li>
  )
}

function metInWords({ n_met: met, n_passed: passed, n_failed: failed, n_unsure: unsure }: Control): string {
  if (met === 0) return t.nobodyMet
  const unsureWords = unsure > 0 ? t.unsureCount({ unsure }) : ''
  return t.metBy({ met, passed, failed, unsureWords })
}

function Deeds({ slug, control }: { slug: string; control: Control }) {
  const [isAsking, setAsking] = useState(false)
  const change = useChangeControl(slug)
  const remove = useDeleteControl(slug)
  const isActive = control.state === 'active'
  const say = (text: string) => ({
    onSuccess: () => showToast(text),
    onError: (error: unknown) => showToast(asApiError(error).message, 'bad'),
  })
  return (
    <div className={styles.deeds}>
      <Button
        size="small"
        variant="quiet"
        isPending={change.isPending}
        aria-label={`${isActive ? t.retire : t.putBackInUse}: ${control.text}`}
        onPress={() =>
          change.mutate(
            { id: control.id, state: isActive ? 'retired' : 'active' },
            say(isActive ? t.controlRetired : t.controlInUse),
          )
        }
      >
        {isActive ? t.retire : t.putBack}
      </Button>
      {control.n_met > 0 && control.state !== 'quarantined' && (
        <Button
          size="small"
          variant="quiet"
          isPending={change.isPending}
          aria-label={`${t.answerWrong}: ${control.text}`}
          onPress={() => change.mutate({ id: control.id, state: 'quarantined' }, say(t.controlQuarantined))}
        >
          {t.answerWrong}
        </Button>
      )}
      {control.n_met === 0 && (
        <Button
          size="small"
          variant="quiet"
          aria-label={t.deleteText({ text: control.text })}
          onPress={() => setAsking(true)}
        >
          {t.delete}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t.deleteQuestion}
          verb={t.deleteIt}
          isOpen
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(control.id, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {t.deleteConsequence}
        </ConfirmDialog>
      )}
    </div>
  )
}
