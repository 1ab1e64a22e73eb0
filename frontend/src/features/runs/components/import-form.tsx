import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { Tabs } from '@/components/ui/tabs'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { isStopped } from '../api/upload-files'
import { withFiles } from '../state/dropped-files'
import { type ParameterValues, startingValues } from '../state/parameter-values'
import { useImport } from '../state/use-import'
import { FilePicker } from './file-picker'
import { ParameterFields } from './parameter-fields'
import { type StageDialogProps, startOf, WhyNot } from './stage-dialog'
import styles from './stage-dialog.module.css'
import { UploadBar } from './upload-bar'

/** Takes pictures, captions or an archive from here or from the server, then starts the import. */
export function ImportForm({ slug, stage, asked, onClose }: StageDialogProps) {
  const [files, setFiles] = useState<File[]>([])
  const [source, setSource] = useState('')
  const [layout, setLayout] = useState('auto')
  const [values, setValues] = useState(() => startingValues(stage, asked))
  const [seed, setSeed] = useState(0)
  const { begin, isPending, error, progress, stop } = useImport(slug)
  const borrows = Number(values.borrow ?? 0) > 0
  const hasSomething = files.length > 0 || source !== '' || borrows
  const start = () => {
    const parameters: ParameterValues = { ...values, layout, ...(files.length === 0 && source !== '' && { source }) }
    begin({ files, run: startOf(stage, parameters, seed) }, { onSuccess: onClose })
  }
  const footer = (
    <>
      <Button onPress={isPending ? stop : onClose}>{isPending ? 'Stop' : 'Not now'}</Button>
      <Button
        variant="primary"
        icon="play"
        isPending={isPending}
        isDisabled={!hasSomething || !stage.startable}
        onPress={start}
      >
        {files.length > 0 ? 'Upload and import' : 'Import'}
      </Button>
    </>
  )
  const fromHere = (
    <FilePicker
      stage={stage}
      files={files}
      onAdd={(added) => setFiles(withFiles(files, added))}
      onClear={() => setFiles([])}
    />
  )
  const fromServer = (
    <TextField
      label="File or folder on the server"
      hint="Under a folder that whoever runs this site has opened for imports."
      value={source}
      onChange={setSource}
      isDisabled={files.length > 0}
    />
  )
  return (
    <Dialog title={stage.label} isOpen onClose={isPending ? () => undefined : onClose} footer={footer}>
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
            label="Where from"
            tabs={[
              { id: 'here', label: 'From this computer', content: fromHere },
              { id: 'server', label: 'From the server', content: fromServer },
            ]}
          />
          <LayoutSelect stage={stage} value={layout} onChange={setLayout} />
          <ParameterFields stage={stage} values={values} onChange={setValues} seed={seed} onSeed={setSeed} />
        </div>
      )}
    </Dialog>
  )
}

const sayError = (error: Error): string =>
  isStopped(error) ? 'The upload was stopped. Nothing was imported.' : asApiError(error).message

const layoutWords: Record<string, string> = {
  auto: 'Find out by itself',
  table: 'Pictures with a CSV or JSONL table',
  coco: 'COCO captions JSON',
  imagefolder: 'Hugging Face imagefolder',
  webdataset: 'WebDataset tar',
  files: 'Just the files',
}

interface LayoutSelectProps {
  stage: StageDialogProps['stage']
  value: string
  onChange: (value: string) => void
}

function LayoutSelect({ stage, value, onChange }: LayoutSelectProps) {
  const layouts = stage.parameters.find(({ name }) => name === 'layout')?.choices ?? []
  if (layouts.length === 0) return null
  const choices = layouts.map((layout) => ({ value: layout, label: layoutWords[layout] ?? layout }))
  return <Select label="Layout" choices={choices} value={value} onChange={onChange} />
}
