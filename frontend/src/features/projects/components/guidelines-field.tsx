import { Markdown } from '@/components/ui/markdown'
import { TextField } from '@/components/ui/text-field'
import { t } from '@/messages/projects'
import styles from './project-settings-page.module.css'

export interface GuidelinesFieldProps {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** What is written on the left stands rendered on the right, as annotators will read it. */
export function GuidelinesField({ value, onChange, error }: GuidelinesFieldProps) {
  return (
    <div className={styles.guidelines}>
      <TextField label={t.guidelines} rows={16} value={value} onChange={onChange} error={error} />
      <section aria-label={t.preview} className={styles.preview}>
        {value.trim() ? <Markdown>{value}</Markdown> : <p className={styles.note}>{t.guidelinesPreview}</p>}
      </section>
    </div>
  )
}
