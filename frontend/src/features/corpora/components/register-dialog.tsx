import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/corpora'
import { useRegisterCorpus } from '../api/register-corpus'
import styles from './corpora-page.module.css'
import { RegisterCommand } from './register-command'

const form = 'register-corpus'

/** Registers a folder that has a corpus.json; for any other there is the command, which reads every byte of it. */
export function RegisterDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { mutate, isPending, error, reset } = useRegisterCorpus(slug)
  const [folder, setFolder] = useState('')
  const [name, setName] = useState('')
  const [licence, setLicence] = useState('')
  const refused = error && asApiError(error)
  const fields = refused?.fieldErrors() ?? {}
  const write = (set: (words: string) => void) => (words: string) => {
    set(words)
    // A field that is said to be wrong could not be sent again.
    if (error) reset()
  }
  const register = (event: SubmitEvent) => {
    event.preventDefault()
    mutate({ folder, name, licence }, { onSuccess: onClose })
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={folder.trim() === ''}>
        {t.register}
      </Button>
    </>
  )
  return (
    <Dialog title={t.registerCorpus} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.form} onSubmit={register}>
        {refused && Object.keys(fields).length === 0 && <Notice tone="bad">{refused.message}</Notice>}
        <TextField
          label={t.serverFolder}
          hint={t.serverFolderHint}
          value={folder}
          onChange={write(setFolder)}
          error={fields.folder}
          autoFocus
        />
        <TextField label={t.name} hint={t.nameHint} value={name} onChange={write(setName)} error={fields.name} />
        <TextField
          label={t.licence}
          hint={t.licenceHint}
          value={licence}
          onChange={write(setLicence)}
          error={fields.licence}
        />
        <div className={styles.aside}>
          <p>{t.withoutCorpusJson}</p>
          <RegisterCommand slug={slug} />
        </div>
      </form>
    </Dialog>
  )
}
