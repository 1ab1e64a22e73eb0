import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Comparable } from '@/lib/api/served'
import { t } from '@/messages/diversity'
import { useDatasets } from '../api/get-reports'
import { useStartReport } from '../api/start-report'
import styles from './diversity.module.css'

const file = 'file:'
const none = 'none'

/** Asks for one or two datasets and the models, then starts the report. */
export function StartDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { data: datasets = [], error: notRead } = useDatasets(slug)
  const { mutate, isPending, error } = useStartReport(slug)
  const [first, setFirst] = useState<string | null>(null)
  const [second, setSecond] = useState(none)
  const [paths, setPaths] = useState(['', ''])
  const [images, setImages] = useState(5000)
  const [models, setModels] = useState({ model: '', clip: '', bertscore: '' })
  const choices = [...datasets.map(choiceOf), { value: file, label: t.fileOnServer }]
  const one = first ?? choices[0]?.value ?? file
  const named = (chosen: string, path = '') =>
    chosen === none ? '' : chosen === file ? `${file}${path.trim()}` : chosen
  const isComplete = [one, second].every((chosen, at) => chosen !== file || paths[at]?.trim())
  const start = () =>
    mutate({ first: named(one, paths[0]), second: named(second, paths[1]), images, ...models }, { onSuccess: onClose })
  const path = (at: 0 | 1) => (
    <TextField
      label={at === 0 ? t.pathFirst : t.pathSecond}
      hint={t.pathHint}
      value={paths[at] ?? ''}
      onChange={(value) => setPaths((old) => old.with(at, value))}
    />
  )
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" icon="play" isPending={isPending} isDisabled={!isComplete} onPress={start}>
        {t.startReport}
      </Button>
    </>
  )
  return (
    <Dialog title={t.newReport} isOpen onClose={onClose} footer={footer}>
      <div className={styles.form}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        {notRead && <Notice tone="bad">{t.datasetsNotShown}</Notice>}
        <Select label={t.first} choices={choices} value={one} onChange={setFirst} />
        {one === file && path(0)}
        <Select
          label={t.second}
          choices={[{ value: none, label: t.noSecond }, ...choices]}
          value={second}
          onChange={setSecond}
        />
        {second === file && path(1)}
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
