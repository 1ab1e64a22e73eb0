import type { ReactNode } from 'react'
import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/common'
import styles from './badge.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './icon'

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

/** Colour, sign and word together, so that no label is told by colour alone; `said` is the word inside a sentence. */
export const labelLooks: Record<Label, { icon: IconName; word: string; said: string; letter: string }> = {
  good: { icon: 'check', word: t.good, said: t.saidGood, letter: 'g' },
  bad: { icon: 'cross', word: t.bad, said: t.saidBad, letter: 'b' },
  unsure: { icon: 'question', word: t.unsure, said: t.saidUnsure, letter: 'u' },
}

export function LabelBadge({ label }: { label: Label }) {
  return (
    <Badge tone={label} icon={labelLooks[label].icon}>
      {labelLooks[label].word}
    </Badge>
  )
}
