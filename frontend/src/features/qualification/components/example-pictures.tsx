import { DrawnExample } from '@/components/ui/drawn-example'
import { EntryPictures } from '@/components/ui/entry-page'
import { WorkedExample } from '@/components/ui/worked-examples'
import type { WorkedExample as Example } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import styles from './example-pictures.module.css'

/** The examples of the guidelines, or a drawn one where the project has none. */
export function ExamplePictures({ examples }: { examples: readonly Example[] }) {
  if (examples.length === 0) return <DrawnExample title={t.example} />
  return (
    <EntryPictures label={t.examples} className={styles.pictures}>
      <h2 className={styles.title}>{t.examples}</h2>
      <ol className={styles.list}>
        {examples.map((example, index) => (
          <li key={index} className={styles.example}>
            <WorkedExample example={example} number={index + 1} isLarge />
          </li>
        ))}
      </ol>
    </EntryPictures>
  )
}
