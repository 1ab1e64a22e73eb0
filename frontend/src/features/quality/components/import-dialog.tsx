import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/quality'
import styles from './standing-form.module.css'

export interface ImportDialogProps {
  title: string
  onClose: () => void
  /** What to send; absent until it is all there. */
  send: (() => void) | undefined
  isPending: boolean
  error: Error | null
  /** What came of it; the dialog is done then. */
  outcome: ReactNode
  children: ReactNode
}

/** Sends a file and tells what came of it. */
export function ImportDialog({ title, onClose, send, isPending, error, outcome, children }: ImportDialogProps) {
  const footer = outcome ? (
    <Button variant="primary" onPress={onClose}>
      {t.done}
    </Button>
  ) : (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" isPending={isPending} isDisabled={!send} onPress={() => send?.()}>
        {t.import}
      </Button>
    </>
  )
  return (
    <Dialog title={title} isOpen onClose={onClose} footer={footer}>
      <div className={styles.parts}>
        {children}
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        {outcome}
      </div>
    </Dialog>
  )
}

/** The name of a column as the server reads it, in every language. */
export function Column({ name }: { name: string }) {
  return <code>{name}</code>
}

export interface RefusedRowsProps {
  rows: readonly { where: string; why: string }[]
}

/** What was not taken, and why. */
export function RefusedRows({ rows }: RefusedRowsProps) {
  if (rows.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t.refusedRows}>
      {rows.map(({ where, why }, place) => (
        <li key={place}>
          <span className={styles.muted}>{where}:</span> {why}
        </li>
      ))}
    </ul>
  )
}
