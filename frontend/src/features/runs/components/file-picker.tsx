import { DropZone, FileTrigger, Text } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import type { Stage } from '@/lib/api/served'
import { formatBytes, plural } from '@/lib/format/numbers'
import { filesIn } from '../state/dropped-files'
import styles from './stage-dialog.module.css'

export interface FilePickerProps {
  stage: Stage
  files: readonly File[]
  onAdd: (files: File[]) => void
  onClear: () => void
}

const invitations: Record<string, string> = {
  import_images: 'Drop photographs here, a folder of them, a .zip or .tar, and their CSV, JSONL or COCO file.',
  import_candidates: 'Drop the file of captions here: CSV, JSONL, COCO JSON or an archive.',
}

/** Takes files by drag and drop, or by the button. */
export function FilePicker({ stage, files, onAdd, onClear }: FilePickerProps) {
  return (
    <>
      <DropZone className={styles.drop} onDrop={({ items }) => void filesIn(items).then(onAdd)}>
        <Icon name="upload" size={26} strokeWidth={1.3} />
        <Text slot="label">{invitations[stage.name] ?? 'Drop files here.'}</Text>
        <FileTrigger allowsMultiple onSelect={(list) => onAdd(Array.from(list ?? []))}>
          <Button size="small">Choose files</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && <ChosenFiles files={files} onClear={onClear} />}
    </>
  )
}

const shown = 50

function ChosenFiles({ files, onClear }: { files: readonly File[]; onClear: () => void }) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <section aria-label="Chosen files">
      <p className={styles.sum}>
        <span>
          {plural(files.length, 'file')}, {formatBytes(bytes)}
        </span>
        <Button size="small" variant="quiet" onPress={onClear}>
          Clear
        </Button>
      </p>
      <ul className={styles.files}>
        {files.slice(0, shown).map((file) => (
          <li key={`${file.name} ${file.size}`} className={styles.file}>
            <span>{file.name}</span>
            <span className={styles.size}>{formatBytes(file.size)}</span>
          </li>
        ))}
        {files.length > shown && <li className={styles.size}>and {plural(files.length - shown, 'file')} more</li>}
      </ul>
    </section>
  )
}
