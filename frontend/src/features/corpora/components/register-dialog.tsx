import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
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
      <Button onPress={onClose}>Not now</Button>
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={folder.trim() === ''}>
        Register
      </Button>
    </>
  )
  return (
    <Dialog title="Register a corpus" isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.form} onSubmit={register}>
        {refused && Object.keys(fields).length === 0 && <Notice tone="bad">{refused.message}</Notice>}
        <TextField
          label="Folder on the server"
          hint="It has a corpus.json and lies under a folder that whoever runs this site has opened for imports."
          value={folder}
          onChange={write(setFolder)}
          error={fields.folder}
          autoFocus
        />
        <TextField
          label="Name"
          hint="Small letters, digits, - and _. If empty, it is taken from corpus.json or the folder's name."
          value={name}
          onChange={write(setName)}
          error={fields.name}
        />
        <TextField
          label="Licence"
          hint="What the source says of it."
          value={licence}
          onChange={write(setLicence)}
          error={fields.licence}
        />
        <div className={styles.aside}>
          <p>A folder without a corpus.json is registered on the server, where every byte of it is read once:</p>
          <RegisterCommand slug={slug} />
        </div>
      </form>
    </Dialog>
  )
}
