import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import styles from './what-comes.module.css'

export interface WhatComesProps {
  title: string
  lead: string
  /** What the page will show, and when it comes. */
  things: readonly { icon: IconName; title: string; words: string }[]
  action?: ReactNode
}

/** A page that has nothing yet: what it will hold, when that comes, and the one thing to do now. */
export function WhatComes({ title, lead, things, action }: WhatComesProps) {
  return (
    <section className={styles.place}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.lead}>{lead}</p>
      <ul className={styles.things}>
        {things.map((thing) => (
          <li key={thing.title}>
            <Icon name={thing.icon} size={22} strokeWidth={1.5} />
            <div>
              <h3>{thing.title}</h3>
              <p>{thing.words}</p>
            </div>
          </li>
        ))}
      </ul>
      {action}
    </section>
  )
}
