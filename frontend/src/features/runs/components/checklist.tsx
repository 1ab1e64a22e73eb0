import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '@/components/ui/icon'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { asApiError } from '@/lib/api/api-error'
import type { ReleaseCheck } from '@/lib/api/served'
import { t } from '@/messages/runs'
import styles from './checklist.module.css'

type ProjectPage =
  `/projects/$slug/${'settings' | 'quality' | 'people' | 'review' | 'selection' | 'difficulty' | 'images'}`

export interface CheckLine {
  code: string
  state: ReleaseCheck['state']
  sentence: string
  /** The page on which a curator sees it or changes it. */
  to: ProjectPage
  reasons?: readonly string[]
}

export interface ChecklistProps {
  slug: string
  title: string
  /** Undefined while it is read. */
  lines: readonly CheckLine[] | undefined
  error: Error | null
}

/** What to look at before a step, each line with its page. It never stands in the way. */
export function Checklist({ slug, title, lines, error }: ChecklistProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {!lines && !error && <Skeleton label={t.checklistLoading} rows={4} />}
      {error && !lines && <Notice>{t.checklistNotShown({ message: asApiError(error).message })}</Notice>}
      {lines && (
        <ul className={styles.list}>
          {lines.map((line) => (
            <Line key={line.code} slug={slug} {...line} />
          ))}
        </ul>
      )}
    </section>
  )
}

const looks: Record<CheckLine['state'], { icon: IconName; word: string }> = {
  ok: { icon: 'check', word: t.isChecked },
  warning: { icon: 'alert', word: t.needsCheck },
  info: { icon: 'message', word: t.forInformation },
}

function Line({ slug, state, sentence, to, reasons = [] }: CheckLine & { slug: string }) {
  const { icon, word } = looks[state]
  return (
    <li className={styles.line} data-state={state}>
      <Icon name={icon} size={16} />
      <span>
        <span className="visually-hidden">{word}: </span>
        <Link to={to} params={{ slug }}>
          {sentence}
        </Link>
        {reasons.length > 0 && <span className={styles.reasons}> {reasons.join(', ')}</span>}
      </span>
    </li>
  )
}
