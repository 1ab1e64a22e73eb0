import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { withFiles } from '@/components/upload/dropped-files'
import { FilePicker } from '@/components/upload/file-picker'
import { UploadBar } from '@/components/upload/upload-bar'
import { asApiError } from '@/lib/api/api-error'
import type { Comparable } from '@/lib/api/served'
import { isStopped } from '@/lib/api/upload-files'
import { t } from '@/messages/diversity'
import { useDatasets } from '../api/get-reports'
import { type AskedDataset, useStartReport } from '../api/start-report'
import styles from './diversity.module.css'

const file = 'file:'
const here = 'upload:'
const none = 'none'

/** Asks for one or two datasets and the models, then starts the report. */
export function StartDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { data: datasets = [], error: notRead } = useDatasets(slug)
  const { start, isPending, error, progress, stop } = useStartReport(slug)
  const [first, setFirst] = useState<string | null>(null)
  const [second, setSecond] = useState(none)
  const [paths, setPaths] = useState(['', ''])
  const [files, setFiles] = useState<File[][]>([[], []])
  const [images, setImages] = useState(5000)
  const [models, setModels] = useState({ model: '', clip: '', bertscore: '' })
  const choices = [
    ...datasets.map(choiceOf),
    { value: here, label: t.fileFromHere },
    { value: file, label: t.fileOnServer },
  ]
  const one = first ?? choices[0]?.value ?? here
  const chosen = [one, second] as const
  const isUploading = chosen.includes(here)
  const isComplete = chosen.every((each, at) =>
    each === file ? paths[at]?.trim() : each !== here || files[at]?.length !== 0,
  )
  const asked = (at: 0 | 1): AskedDataset => {
    if (chosen[at] === here) return files[at] ?? []
    if (chosen[at] === file) return `${file}${(paths[at] ?? '').trim()}`
    return chosen[at] === none ? '' : chosen[at]
  }
  const begin = () => start({ first: asked(0), second: asked(1), images, ...models }, { onSuccess: onClose })
  const place = (at: 0 | 1) => {
    if (chosen[at] === file) {
      return (
        <TextField
          label={at === 0 ? t.pathFirst : t.pathSecond}
          hint={t.pathHint}
          value={paths[at] ?? ''}
          onChange={(value) => setPaths((old) => old.with(at, value))}
        />
      )
    }
    return (
      chosen[at] === here && (
        <FilePicker
          invitation={t.dropDataset}
          files={files[at] ?? []}
          onAdd={(added) => setFiles((old) => old.with(at, withFiles(old[at] ?? [], added)))}
          onClear={() => setFiles((old) => old.with(at, []))}
        />
      )
    )
  }
  const footer = (
    <>
      {progress ? <Button onPress={stop}>{t.stopUpload}</Button> : <NotNow onPress={onClose} />}
      <Button variant="primary" icon="play" isPending={isPending} isDisabled={!isComplete} onPress={begin}>
        {isUploading ? t.uploadAndStart : t.startReport}
      </Button>
    </>
  )
  return (
    <Dialog title={t.newReport} isOpen onClose={progress ? () => undefined : onClose} footer={footer}>
      <div className={styles.form}>
        {error && isStopped(error) && <Notice>{t.nothingStarted}</Notice>}
        {error && !isStopped(error) && <Notice tone="bad">{asApiError(error).message}</Notice>}
        {progress && <UploadBar progress={progress} />}
        {notRead && <Notice tone="bad">{t.datasetsNotShown}</Notice>}
        <Select label={t.first} choices={choices} value={one} onChange={setFirst} />
        {place(0)}
        <Select
          label={t.second}
          choices={[{ value: none, label: t.noSecond }, ...choices]}
          value={second}
          onChange={setSecond}
        />
        {place(1)}
        <NumberField
          label={t.mostImages}
          hint={t.mostImagesHint}
          value={images}
          minValue={1}
          maxValue={1_000_000}
          onChange={(value) => setImages(Number.isFinite(value) ? value : 5000)}
        />
        <Disclosure summary={t.models}>
          <div className={styles.form}>
            {(
              [
                ['model', t.sbertModel, t.emptyIsOfSite],
                ['clip', t.clipModel, t.emptyIsOfSite],
                ['bertscore', t.bertscoreModel, t.emptyIsNone],
              ] as const
            ).map(([name, label, hint]) => (
              <TextField
                key={name}
                label={label}
                hint={hint}
                value={models[name]}
                onChange={(value) => setModels((old) => ({ ...old, [name]: value.trim() }))}
              />
            ))}
          </div>
        </Disclosure>
      </div>
    </Dialog>
  )
}

const choiceOf = ({ name, kind, project, version, n }: Comparable) => ({
  value: name,
  label: kind === 'selection' ? t.selectionOf({ project }) : t.releaseOf({ project, version: String(version) }),
  detail: t.imagesN({ n }),
})
