import { type ReactNode, useEffect, useRef } from 'react'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { t } from '@/messages/common'
import { announce } from './announcer-store'
import { IconButton } from './button'
import { Drawer } from './dialog'
import styles from './side-panel.module.css'

/** Up to this width a panel lies over the work. */
export const narrow = '75rem'

export interface SidePanelProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** What is read beside the work: a column that makes room for itself, or a drawer where the window is narrow. */
export function SidePanel(props: SidePanelProps) {
  return useIsWide(narrow) ? <Column {...props} /> : <Drawer {...props} isOpen />
}

let closeOpen: (() => void) | null = null

/** There is one column at a time. The work keeps the focus and its keys; Esc closes the column. */
function Column({ title, onClose, children }: SidePanelProps) {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const closeThis = () => close.current()
    const handle = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isBusy(event.target)) return
      event.stopPropagation() // or an editor that is open beside it would close, too
      closeThis()
    }
    closeOpen?.()
    closeOpen = closeThis
    window.addEventListener('keydown', handle, { capture: true })
    announce(title)
    return () => {
      window.removeEventListener('keydown', handle, { capture: true })
      if (closeOpen === closeThis) closeOpen = null
    }
  }, [title])
  return (
    <aside className={styles.panel} aria-label={title}>
      <div className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        <IconButton icon="cross" aria-label={t.close} onPress={onClose} />
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too. */}
      <div className={styles.body} role="group" aria-label={title} tabIndex={0}>
        {children}
      </div>
    </aside>
  )
}

/** Whether Esc belongs to something else: a dialog over the page, or a field that somebody writes in. */
const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]') !== null ||
  (target instanceof HTMLElement && target.closest('input, textarea, [contenteditable=true]') !== null)
