import { FileTrigger } from 'react-aria-components'
import { TriggerButton } from '@/components/ui/trigger-button'
import { t } from '@/messages/quality'

export interface ChooseFileProps {
  file: File | null
  onChoose: (file: File | null) => void
  /** What the button says before a file is chosen. */
  label?: string
  /** Endings of the files that can be chosen. */
  types?: readonly string[]
}

const tables = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json', '.xlsx', '.parquet', '.gz']

/** A table or JSON of one's own, by name. */
export function ChooseFile({ file, onChoose, label = t.chooseFile, types = tables }: ChooseFileProps) {
  return (
    <div>
      <FileTrigger acceptedFileTypes={types} onSelect={(list) => onChoose(list?.[0] ?? null)}>
        <TriggerButton icon="upload">{file ? t.chooseAnother : label}</TriggerButton>
      </FileTrigger>{' '}
      {file && <span>{file.name}</span>}
    </div>
  )
}
