import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useSuspendedActions } from '@/lib/actions/action-context'
import { t } from '@/messages/common'
import { IconButton } from './button'
import { cx } from './cx'
import styles from './dialog.module.css'

export interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** `centre` asks something; `side` slides over from the right and leaves the page where it is. */
  placement?: 'centre' | 'side'
  role?: 'dialog' | 'alertdialog'
  /** Buttons at the foot. */
  footer?: ReactNode
  children: ReactNode
}

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, placement = 'centre', role = 'dialog', footer, children } = props
  useSuspendedActions(isOpen)
  return (
    <ModalOverlay
      className={cx(styles.veil, styles[placement])}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable
    >
      <Modal className={styles.modal}>
        <AriaDialog role={role} className={styles.dialog}>
          <div className={styles.header}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <IconButton icon="cross" aria-label={t.close} onPress={onClose} />
          </div>
          {placement === 'side' ? (
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too.
            <div className={styles.body} role="group" aria-label={title} tabIndex={0}>
              {children}
            </div>
          ) : (
            <div className={styles.body}>{children}</div>
          )}
          {footer && <div className={styles.footer}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** A slide-over from the right for what is read beside the work. */
export function Drawer(props: Omit<DialogProps, 'placement'>) {
  return <Dialog {...props} placement="side" />
}
