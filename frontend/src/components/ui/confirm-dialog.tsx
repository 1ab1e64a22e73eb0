import type { ReactNode } from 'react'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/common'
import { Button } from './button'
import { Dialog } from './dialog'
import { Notice } from './notice'

export interface ConfirmDialogProps {
  title: string
  /** The verb on the button that does it. */
  verb: string
  isOpen: boolean
  isPending?: boolean
  /** The person has not typed yet what the dialog asks for. */
  isDisabled?: boolean
  error?: unknown
  onConfirm: () => void
  onClose: () => void
  /** What will happen, and what will not. */
  children: ReactNode
}

/** Asks once before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, verb, isOpen, isPending = false, isDisabled = false, error, onConfirm, onClose, children } = props
  const footer = (
    <>
      <Button onPress={onClose}>{t.keepIt}</Button>
      <Button variant="danger" isPending={isPending} isDisabled={isDisabled} onPress={onConfirm}>
        {verb}
      </Button>
    </>
  )
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onClose={onClose} footer={footer}>
      {children}
      {Boolean(error) && <Notice tone="bad">{asApiError(error).message}</Notice>}
    </Dialog>
  )
}
