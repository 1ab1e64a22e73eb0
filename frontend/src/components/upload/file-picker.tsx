import { DropZone, FileTrigger, Text } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TriggerButton } from '@/components/ui/trigger-button'
import { formatBytes } from '@/lib/format/numbers'
import { t } from '@/messages/uploads'
import { filesIn } from './dropped-files'
import styles from './upload.module.css'

export interface FilePickerProps {
  /** Says which files are taken. */
  invitation: string
  takesMany?: boolean
  files: readonly File[]
  onAdd: (files: File[]) => void
  onClear: () => void
}

/** Takes files by drag and drop, or by the button. */
export function FilePicker({ invitation, takesMany = true, files, onAdd, onClear }: FilePickerProps) {
  return (
    <>
      <DropZone className={styles.drop} onDrop={({ items }) => void filesIn(items).then(onAdd)}>
        <Icon name="upload" size={26} strokeWidth={1.3} />
        <Text slot="label">{invitation}</Text>
        <FileTrigger allowsMultiple={takesMany} onSelect={(list) => onAdd(Array.from(list ?? []))}>
          <TriggerButton size="small">{t.chooseFiles}</TriggerButton>
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
    <section aria-label={t.chosenFiles}>
      <p className={styles.sum}>
        <span>
          {t.files({ n: files.length })}, {formatBytes(bytes)}
        </span>
        <Button size="small" variant="quiet" onPress={onClear}>
          {t.clear}
        </Button>
      </p>
      <ul className={styles.files}>
        {files.slice(0, shown).map((file) => (
          <li key={`${file.name} ${file.size}`} className={styles.file}>
            <span>{file.name}</span>
            <span className={styles.size}>{formatBytes(file.size)}</span>
          </li>
        ))}
        {files.length > shown && <li className={styles.size}>{t.filesMore({ n: files.length - shown })}</li>}
      </ul>
    </section>
  )
}
