import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/entry'
import { cx } from './cx'
import styles from './entry-page.module.css'
import { Icon, type IconName, PathIcon } from './icon'

/** The page before some work: pictures on one side, words on the other, and one button that stays in sight. */
export function EntryPage({ className, children }: { className?: string; children: ReactNode }) {
  return <main className={cx(styles.page, className)}>{children}</main>
}

export interface EntryHeaderProps {
  title: string
  lead: ReactNode
  minutes: number
  /** What else is good to know before, a few words each. */
  terms: readonly { icon: IconName; words: string }[]
  /** Shown above the title. */
  children?: ReactNode
}

const clock = 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.3l2.8 1.6'

export function EntryHeader({ title, lead, minutes, terms, children }: EntryHeaderProps) {
  usePageTitle(title)
  return (
    <header className={styles.header}>
      {children}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      <ul className={styles.terms}>
        <li>
          <PathIcon path={clock} />
          {t.takes({ minutes: Math.max(1, Math.ceil(minutes)) })}
        </li>
        {terms.map(({ icon, words }) => (
          <li key={words}>
            <Icon name={icon} />
            {words}
          </li>
        ))}
      </ul>
    </header>
  )
}

export interface EntryPartProps {
  /** Its name: it can have the focus, so that keys scroll it. */
  label: string
  className?: string | undefined
  children: ReactNode
}

export function EntryWords({ className, ...part }: EntryPartProps) {
  return <ReadPart {...part} className={cx(styles.words, className)} />
}

/** Where the pictures are. */
export function EntryPictures({ className, ...part }: EntryPartProps) {
  return <ReadPart {...part} className={cx(styles.pictures, className)} />
}

function ReadPart({ label, className, children }: EntryPartProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too.
    <div className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

export function EntryFoot({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>
}

export interface EntryPointsProps {
  title: string
  points: readonly { icon: IconName; words: string }[]
}

/** A few sentences under a title, one below the other. */
export function EntryPoints({ title, points }: EntryPointsProps) {
  return (
    <section className={styles.points}>
      <h2>{title}</h2>
      <ul>
        {points.map(({ icon, words }) => (
          <li key={words}>
            <Icon name={icon} />
            {words}
          </li>
        ))}
      </ul>
    </section>
  )
}
