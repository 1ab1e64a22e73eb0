import { CopyButton } from '@/components/ui/copy-button'
import { t } from '@/messages/corpora'
import styles from './corpora-page.module.css'

/** The command that registers any folder of the server, and writes the corpus.json that the form asks for. */
export function RegisterCommand({ slug }: { slug: string }) {
  // eslint-disable-next-line no-restricted-syntax -- a command is the same in every language.
  const command = `python manage.py register_corpus --project ${slug} FOLDER`
  return (
    <div className={styles.command}>
      <code className={styles.code}>{command}</code>
      <CopyButton text={command} what={t.theCommand} />
    </div>
  )
}
