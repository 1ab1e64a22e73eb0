import { type ReactNode, useState } from 'react'
import { cx } from './cx'
import styles from './disclosure.module.css'

export interface DisclosureProps {
  summary: ReactNode
  /** What lies behind it is drawn only while it is open. */
  children: ReactNode
  /** `accent` where it is part of the work, else a quiet aside. */
  tone?: 'quiet' | 'accent'
  /** Given where something else opens it too. */
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  className?: string | undefined
}

/** A line that opens to more: for who wants to know, out of the way of everybody else. */
export function Disclosure({ summary, children, tone = 'quiet', isOpen, onToggle, className }: DisclosureProps) {
  const [isOpenItself, setOpen] = useState(false)
  const open = isOpen ?? isOpenItself
  return (
    <details
      className={cx(styles.disclosure, styles[tone], className)}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open !== isOpen) onToggle?.(currentTarget.open)
      }}
    >
      <summary>{summary}</summary>
      {open && children}
    </details>
  )
}
