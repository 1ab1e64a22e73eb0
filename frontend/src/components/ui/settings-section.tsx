import type { ReactNode } from 'react'
import { Grid, Span } from './grid'
import styles from './settings-section.module.css'

export interface SettingsSectionProps {
  title: string
  /** What is decided here, in a sentence. */
  note?: ReactNode
  /** What can be done is below and has the whole width: for tables. */
  isWide?: boolean
  children: ReactNode
}

/** One matter of a settings page: what it is on the left, what can be done on the right. */
export function SettingsSection({ title, note, isWide = false, children }: SettingsSectionProps) {
  return (
    <section className={styles.section}>
      <Grid>
        <Span n={isWide ? 12 : 3}>
          <h2 className={styles.title}>{title}</h2>
          {note && <p className={styles.note}>{note}</p>}
        </Span>
        <Span n={isWide ? 12 : 9} className={styles.content}>
          {children}
        </Span>
      </Grid>
    </section>
  )
}
