import { Link } from '@tanstack/react-router'
import { Note, Turn } from '@/components/ui/remark-words'
import type { Remark } from '@/lib/api/served'
import { t } from '@/messages/past-work'
import styles from './past-item.module.css'

/** What was written about one answer, and the way to where it is answered. */
export function ItemFeedback({ slug, remarks }: { slug: string; remarks: readonly Remark[] }) {
  if (remarks.length === 0) return null
  return (
    <ul className={styles.feedback} aria-label={t.feedback}>
      {remarks.map(({ id, written_by: by, created_at: at, text, label, state, replies }) => (
        <li key={id}>
          {state === 'withdrawn' ? (
            <Note>{t.withdrawn({ name: by.name })}</Note>
          ) : (
            <Turn name={by.name} at={at} text={text} label={label} />
          )}
          {replies.map((reply) => (
            <Turn key={reply.id} name={reply.author.name} at={reply.created_at} text={reply.text} />
          ))}
          <Link to="/projects/$slug/inbox" params={{ slug }} search={{ remark: id }}>
            {t.answerIt}
          </Link>
        </li>
      ))}
    </ul>
  )
}
