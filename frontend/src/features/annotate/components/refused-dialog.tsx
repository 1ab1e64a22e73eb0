import { LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { RelativeTime } from '@/components/ui/relative-time'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/annotate'
import { reasonOf } from '../state/notice'
import type { Outgoing } from '../state/outgoing'
import styles from './refused-dialog.module.css'

export interface RefusedDialogProps {
  refused: readonly Outgoing[]
  onSend: (outgoing: Outgoing) => void
  onDrop: (outgoing: Outgoing) => void
  onClose: () => void
}

/** Each submission that the server did not take: why, and what it says. Nothing goes before the person lets it go. */
export function RefusedDialog({ refused, onSend, onDrop, onClose }: RefusedDialogProps) {
  return (
    <Dialog title={t.notTaken} isOpen onClose={onClose}>
      {refused.length === 0 && <p>{t.nothingLeft}</p>}
      {refused.map((outgoing) => (
        <section key={outgoing.id} className={styles.one}>
          <p>
            {reasonOf(outgoing)}{' '}
            <Sentence
              of={t.submittedWhen}
              parts={{ when: <RelativeTime at={new Date(outgoing.submittedAt).toISOString()} /> }}
            />
          </p>
          <ol className={styles.judgments}>
            {outgoing.judgments.map(({ position, label, comment }) => (
              <li key={position}>
                <LabelBadge label={label} /> <bdi>{outgoing.texts[position] ?? t.photographN({ position })}</bdi>
                {comment && (
                  <small>
                    {' '}
                    “<bdi>{comment}</bdi>”
                  </small>
                )}
              </li>
            ))}
          </ol>
          <div className={styles.ways}>
            <Button size="small" onPress={() => onDrop(outgoing)}>
              {t.dropIt}
            </Button>
            <Button size="small" onPress={() => onSend(outgoing)}>
              {t.sendAgain}
            </Button>
          </div>
        </section>
      ))}
    </Dialog>
  )
}
