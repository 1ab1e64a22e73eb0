import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { TriggerButton } from '@/components/ui/trigger-button'
import { asApiError } from '@/lib/api/api-error'
import type { ControlImport } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { useImportControls } from '../api/controls'
import styles from './drawer.module.css'

/** Controls out of a table; rows that were refused come back with their reasons. */
export function ImportControlsDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const { mutate, isPending, error, data, reset } = useImportControls(slug)
  const choose = (list: FileList | null) => {
    setFile(list?.[0] ?? null)
    reset()
  }
  const footer = data ? (
    <Button variant="primary" onPress={onClose}>
      {t.done}
    </Button>
  ) : (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" isPending={isPending} isDisabled={!file} onPress={() => file && mutate(file)}>
        {t.import}
      </Button>
    </>
  )
  return (
    <Dialog title={t.importControls} isOpen onClose={onClose} footer={footer}>
      <div className={styles.parts}>
        <p>
          <Sentence of={t.importFormat} parts={columns} />
        </p>
        <div>
          <FileTrigger acceptedFileTypes={['.csv', '.tsv', '.jsonl', '.json']} onSelect={choose}>
            <TriggerButton icon="upload">{file ? t.chooseAnother : t.chooseFile}</TriggerButton>
          </FileTrigger>{' '}
          {file && <span>{file.name}</span>}
        </div>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        {data && <Outcome of={data} />}
      </div>
    </Dialog>
  )
}

const column = (name: string) => <code>{name}</code>

/** The columns as the server reads them, in every language. */
const columns = {
  image: column('image'),
  text: column('text'),
  query: column('query'),
  accepted: column('accepted'),
  explanation: column('explanation'),
  quiz: column('quiz'),
}

function Outcome({ of: { n_new: fresh, n_known: known, refused } }: { of: ControlImport }) {
  return (
    <>
      <Notice tone={refused.length > 0 ? 'neutral' : 'good'}>
        {t.controlsAdded({ n: fresh })}
        {known > 0 && `, ${t.knownN({ known })}`}
        {refused.length > 0 && `, ${t.rowsRefused({ n: refused.length })}`}.
      </Notice>
      {refused.length > 0 && (
        <ul className={styles.list} aria-label={t.refusedRows}>
          {refused.map((refusal, place) => (
            <li key={place}>
              <span className={styles.muted}>
                {refusal.line === null ? refusal.name : t.line({ line: refusal.line })}:
              </span>{' '}
              {inOurLanguage(refusal.code, refusal.message)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
