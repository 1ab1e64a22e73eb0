import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/entry'
import { LabelBadge } from './badge'
import styles from './drawn-example.module.css'
import { EntryPictures } from './entry-page'

const examples: readonly { label: Label; text: string; why: string }[] = [
  { label: 'good', text: t.fits, why: t.fitsWhy },
  { label: 'bad', text: t.fitsNot, why: t.fitsNotWhy },
]

/** A drawing that belongs to no dataset, with two captions: a pair of a project would tell an answer. */
export function DrawnExample({ title }: { title: string }) {
  return (
    <EntryPictures label={title} className={styles.mat}>
      <figure className={styles.example}>
        <img src="/assets/example.webp" alt={t.drawing} width={1200} height={800} />
        <figcaption>
          <p className={styles.title}>{title}</p>
          <ul className={styles.captions}>
            {examples.map(({ label, text, why }) => (
              <li key={label}>
                <p className={styles.caption}>{text}</p>
                <p className={styles.why}>
                  <LabelBadge label={label} /> {why}
                </p>
              </li>
            ))}
          </ul>
        </figcaption>
      </figure>
    </EntryPictures>
  )
}
