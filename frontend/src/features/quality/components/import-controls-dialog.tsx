import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { asApiError } from '@/lib/api/api-error'
import type { ControlImport } from '@/lib/api/served'
import { plural } from '@/lib/format/numbers'
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
      Done
    </Button>
  ) : (
    <>
      <Button onPress={onClose}>Not now</Button>
      <Button variant="primary" isPending={isPending} isDisabled={!file} onPress={() => file && mutate(file)}>
        Import
      </Button>
    </>
  )
  return (
    <Dialog title="Import controls" isOpen onClose={onClose} footer={footer}>
      <div className={styles.parts}>
        <p>
          A CSV, TSV, JSONL or JSON file in UTF-8 with the columns <code>image</code>, <code>text</code> (or{' '}
          <code>query</code>), <code>accepted</code>, and, if you like, <code>explanation</code> and <code>quiz</code>.
        </p>
        <div>
          <FileTrigger acceptedFileTypes={['.csv', '.tsv', '.jsonl', '.json']} onSelect={choose}>
            <Button icon="upload">{file ? 'Choose another file' : 'Choose a file'}</Button>
          </FileTrigger>{' '}
          {file && <span>{file.name}</span>}
        </div>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        {data && <Outcome of={data} />}
      </div>
    </Dialog>
  )
}

function Outcome({ of: { n_new: fresh, n_known: known, refused } }: { of: ControlImport }) {
  return (
    <>
      <Notice tone={refused.length > 0 ? 'neutral' : 'good'}>
        {plural(fresh, 'control')} added{known > 0 && `, ${known} known already`}
        {refused.length > 0 && `, ${plural(refused.length, 'row')} refused`}.
      </Notice>
      {refused.length > 0 && (
        <ul className={styles.list} aria-label="Refused rows">
          {refused.map((refusal, place) => (
            <li key={place}>
              <span className={styles.muted}>{refusal.line === null ? refusal.name : `Line ${refusal.line}`}:</span>{' '}
              {refusal.message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
