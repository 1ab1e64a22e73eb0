import { Markdown } from '@/components/ui/markdown'
import { TextField } from '@/components/ui/text-field'
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
      <TextField label="Guidelines" rows={16} value={value} onChange={onChange} error={error} />
      <section aria-label="Preview" className={styles.preview}>
        {value.trim() ? (
          <Markdown>{value}</Markdown>
        ) : (
          <p className={styles.note}>The guidelines will be shown here as annotators read them.</p>
        )}
      </section>
    </div>
  )
}
