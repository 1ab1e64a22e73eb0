import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { FilePicker } from '@/components/upload/file-picker'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/benchmarks'
import { useAddPublished, useImportResult } from '../api/get-benchmarks'
import styles from './benchmarks.module.css'
import type { OnReleaseProps } from './measure-dialog'

type What = 'result' | 'table'

const endsIn = (ending: string) => (file: File) => file.name.toLowerCase().endsWith(ending)

/** Takes a result of the command, or a published table. */
export function ImportDialog({ slug, releaseId, onClose }: OnReleaseProps) {
  const result = useImportResult(slug, releaseId)
  const table = useAddPublished(slug, releaseId)
  const [what, setWhat] = useState<What>('result')
  const [files, setFiles] = useState<readonly File[]>([])
  const [note, setNote] = useState('')
  const [name, setName] = useState('')
  const [source, setSource] = useState('')
  const isResult = what === 'result'
  const json = files.find(endsIn('.json'))
  const ranks = files.find(endsIn('.parquet'))
  const published = files[0]
  const { isPending, error } = isResult ? result : table
  const send = () => {
    const done = { onSuccess: onClose }
    if (isResult && json) result.mutate({ result: json, perQuery: ranks ?? null, note: note.trim() }, done)
    if (!isResult && published) table.mutate({ file: published, name: name.trim(), published_in: source.trim() }, done)
  }
  const isComplete = isResult ? json !== undefined : published !== undefined && name.trim() !== '' && source.trim() !== ''
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" icon="upload" isPending={isPending} isDisabled={!isComplete} onPress={send}>
        {t.import}
      </Button>
    </>
  )
  return (
    <Dialog title={t.importResult} isOpen onClose={onClose} footer={footer}>
      <div className={styles.form}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <ChoiceGroup<What>
          label={t.whatFile}
          choices={[
            { value: 'result', label: t.resultFile, detail: t.resultFileDetail },
            { value: 'table', label: t.publishedTable, detail: t.publishedTableDetail },
          ]}
          value={what}
          onChange={(value) => {
            setWhat(value)
            setFiles([])
          }}
        />
        <FilePicker
          invitation={isResult ? t.resultInvitation : t.tableInvitation}
          takesMany={isResult}
          files={files}
          onAdd={(added) => setFiles(isResult ? [...files, ...added] : added.slice(0, 1))}
          onClear={() => setFiles([])}
        />
        {isResult && files.length > 0 && !json && <Notice>{t.resultMissing}</Notice>}
        {isResult ? (
          <TextField label={t.note} hint={t.noteHint} value={note} onChange={setNote} />
        ) : (
          <>
            <TextField label={t.tableName} hint={t.tableNameHint} value={name} onChange={setName} />
            <TextField label={t.publishedIn} hint={t.publishedInHint} value={source} onChange={setSource} />
          </>
        )}
      </div>
    </Dialog>
  )
}
