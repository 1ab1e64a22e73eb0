import type { ReactNode } from 'react'
import type { Label } from '@/lib/api/contract'
import styles from './badge.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './icon'
import { useLabelLooks } from './label-looks'

/** `good`, `bad` and `unsure` are for answers alone: a state is `done`, `failed`, `accent` while it goes on, or `warning`. */
export type Tone = 'neutral' | 'accent' | 'done' | 'failed' | 'warning' | 'good' | 'bad' | 'unsure'

export interface BadgeProps {
  tone?: Tone
  icon?: IconName
  children: ReactNode
}

export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {icon && <Icon name={icon} size={14} strokeWidth={2.2} />}
      {children}
    </span>
  )
}

export function LabelBadge({ label }: { label: Label }) {
  const { icon, word } = useLabelLooks()[label]
  return (
    <Badge tone={label} icon={icon}>
      {word}
    </Badge>
  )
}
