import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { Tabs } from '@/components/ui/tabs'
import { TextField } from '@/components/ui/text-field'
import { withFiles } from '@/components/upload/dropped-files'
import { FilePicker } from '@/components/upload/file-picker'
import { UploadBar } from '@/components/upload/upload-bar'
import { asApiError } from '@/lib/api/api-error'
import { isStopped } from '@/lib/api/upload-files'
import { t as common } from '@/messages/common'
import { t } from '@/messages/runs'
import { type ParameterValues, startingValues } from '../state/parameter-values'
import { useImport } from '../state/use-import'
import { ParameterFields } from './parameter-fields'
import styles from './stage-dialog.module.css'
import { type StageDialogProps, startOf, WhyNot } from './stage-start'

/** What a table without a header needs. */
const ofTables = ['columns']
const tableName = /\.(csv|tsv|txt)$/i

/** Takes images, captions or queries from here or from the server, then starts the import. */
export function ImportForm({ slug, stage, asked, onClose }: StageDialogProps) {
  const [files, setFiles] = useState<File[]>([])
  const [source, setSource] = useState('')
  const [layout, setLayout] = useState('auto')
  const [values, setValues] = useState(() => startingValues(stage, asked))
  const [seed, setSeed] = useState(0)
  const { begin, isPending, error, progress, stop } = useImport(slug)
  const borrows = Number(values.borrow ?? 0) > 0
  const hasSomething = files.length > 0 || source !== '' || borrows
  const layouts = stage.parameters.find(({ name }) => name === 'layout')?.choices ?? []
  const readsTable = layouts.length === 0 || layout === 'table' || files.some(({ name }) => tableName.test(name))
  const start = () => {
    const parameters: ParameterValues = {
      ...values,
      ...(layouts.length > 0 && { layout }),
      ...(files.length === 0 && source !== '' && { source }),
    }
    begin({ files, run: startOf(stage, parameters, seed) }, { onSuccess: onClose })
  }
  const footer = (
    <>
      <Button onPress={isPending ? stop : onClose}>{isPending ? t.stop : common.notNow}</Button>
      <Button
        variant="primary"
        icon="play"
        isPending={isPending}
        isDisabled={!hasSomething || !stage.startable}
        onPress={start}
      >
        {files.length > 0 ? t.uploadAndImport : t.import}
      </Button>
    </>
  )
  const fromHere = (
    <FilePicker
      invitation={invitations[stage.name] ?? t.dropFiles}
      takesMany={stage.name !== 'import_queries'}
      files={files}
      onAdd={(added) => setFiles(withFiles(files, added))}
      onClear={() => setFiles([])}
    />
  )
  const fromServer = (
    <TextField
      label={t.serverFolder}
      hint={t.serverFolderHint}
      value={source}
      onChange={setSource}
      isDisabled={files.length > 0}
    />
  )
  return (
    <Dialog title={stage.label} isOpen onClose={isPending ? () => undefined : onClose} footer={footer}>
      <p className={styles.lead}>{stage.explanation}</p>
      {error ? (
        <Notice tone={isStopped(error) ? 'neutral' : 'bad'}>{sayError(error)}</Notice>
      ) : (
        <WhyNot stage={stage} />
      )}
      {progress ? (
        <UploadBar progress={progress} />
      ) : (
        <div className={styles.fields}>
          <Tabs
            label={t.whereFrom}
            tabs={[
              { id: 'here', label: t.fromComputer, content: fromHere },
              { id: 'server', label: t.fromServer, content: fromServer },
            ]}
          />
          {layouts.length > 0 && <LayoutSelect layouts={layouts} value={layout} onChange={setLayout} />}
          <ParameterFields
            {...{ stage, values, seed }}
            needed={readsTable ? ofTables : []}
            onChange={setValues}
            onSeed={setSeed}
          />
        </div>
      )}
    </Dialog>
  )
}

const invitations: Record<string, string> = {
  import_images: t.dropPhotographs,
  import_candidates: t.dropCaptions,
  import_queries: t.dropQueries,
}

const sayError = (error: Error): string => (isStopped(error) ? t.nothingImported : asApiError(error).message)

const layoutWords: Record<string, string> = {
  auto: t.findOut,
  table: t.layoutTable,
  coco: t.layoutCoco,
  imagefolder: t.layoutImagefolder,
  webdataset: t.layoutWebdataset,
  files: t.layoutFiles,
}

interface LayoutSelectProps {
  layouts: readonly string[]
  value: string
  onChange: (value: string) => void
}

function LayoutSelect({ layouts, value, onChange }: LayoutSelectProps) {
  const choices = layouts.map((layout) => ({ value: layout, label: layoutWords[layout] ?? layout }))
  return <Select label={t.layout} choices={choices} value={value} onChange={onChange} />
}
