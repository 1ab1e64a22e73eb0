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
import { t } from '@/messages/models'
import { useCalibrate } from '../api/get-calibrations'
import styles from './models.module.css'

export interface StartDialogProps {
  slug: string
  nOwnPairs: number
  onClose: () => void
}

type Source = 'own' | 'file'
const standard = { batch: 256, most: 0, seed: 0 }

/** Asks for the models and the pairs, then starts Calibrate models. */
export function StartDialog({ slug, nOwnPairs, onClose }: StartDialogProps) {
  const { mutate, isPending, error } = useCalibrate(slug)
  const [models, setModels] = useState('')
  const [source, setSource] = useState<Source>('own')
  const [path, setPath] = useState('')
  const [numbers, setNumbers] = useState(standard)
  const isTooFew = source === 'own' && nOwnPairs < numbers.batch
  const isComplete = source === 'own' ? !isTooFew : path.trim() !== ''
  const start = () =>
    mutate(
      {
        models: models.trim(),
        pairs: source === 'file' ? path.trim() : '',
        batch_size: numbers.batch,
        most: numbers.most,
        seed: numbers.seed,
      },
      { onSuccess: onClose },
    )
  const number = (name: keyof typeof standard, label: string, hint: string, minValue: number) => (
    <NumberField
      label={label}
      hint={hint}
      minValue={minValue}
      {...(name === 'batch' && { maxValue: 2048 })}
      value={numbers[name]}
      onChange={(value) => setNumbers((old) => ({ ...old, [name]: Number.isFinite(value) ? value : standard[name] }))}
    />
  )
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" icon="play" isPending={isPending} isDisabled={!isComplete} onPress={start}>
        {t.calibrate}
      </Button>
    </>
  )
  return (
    <Dialog title={t.calibrateModels} isOpen onClose={onClose} footer={footer}>
      <div className={styles.form}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <TextField label={t.models} hint={t.modelsHint} value={models} onChange={setModels} />
        <Select<Source>
          label={t.pairsField}
          choices={[
            { value: 'own', label: t.ownPairs, detail: t.ownPairsDetail({ n: nOwnPairs }) },
            { value: 'file', label: t.fileOnServer },
          ]}
          value={source}
          onChange={setSource}
        />
        {source === 'file' && <TextField label={t.path} hint={t.pathHint} value={path} onChange={setPath} />}
        {isTooFew && <Notice>{t.tooFew({ n: nOwnPairs, batch: numbers.batch })}</Notice>}
        {number('batch', t.batchSize, t.batchSizeHint, 2)}
        <Disclosure summary={t.advanced}>
          <div className={styles.form}>
            {number('most', t.most, t.mostHint, 0)}
            {number('seed', t.seed, t.seedHint, 0)}
          </div>
        </Disclosure>
      </div>
    </Dialog>
  )
}
