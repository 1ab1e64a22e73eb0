import { useState } from 'react'
import { Notice } from '@/components/ui/notice'
import type { ControlImport } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { useImportControls } from '../api/controls'
import { ChooseFile } from './choose-file'
import { Column, ImportDialog, RefusedRows } from './import-dialog'

/** Controls out of a table; rows that were refused come back with their reasons. */
export function ImportControlsDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const { mutate, isPending, error, data, reset } = useImportControls(slug)
  const choose = (chosen: File | null) => {
    setFile(chosen)
    reset()
  }
  return (
    <ImportDialog
      title={t.importControls}
      onClose={onClose}
      send={file ? () => mutate(file) : undefined}
      isPending={isPending}
      error={error}
      outcome={data && <Outcome of={data} />}
    >
      <p>
        <Sentence of={t.importFormat} parts={columns} />
      </p>
      <ChooseFile file={file} onChoose={choose} />
    </ImportDialog>
  )
}

const columns = {
  image: <Column name="image" />,
  text: <Column name="text" />,
  query: <Column name="query" />,
  accepted: <Column name="accepted" />,
  explanation: <Column name="explanation" />,
  quiz: <Column name="quiz" />,
}

function Outcome({ of: { n_new: fresh, n_known: known, refused } }: { of: ControlImport }) {
  return (
    <>
      <Notice tone={refused.length > 0 ? 'neutral' : 'good'}>
        {t.controlsAdded({ n: fresh })}
        {known > 0 && `, ${t.knownN({ known })}`}
        {refused.length > 0 && `, ${t.rowsRefused({ n: refused.length })}`}.
      </Notice>
      <RefusedRows
        rows={refused.map((refusal) => ({
          where: refusal.line === null ? refusal.name : t.line({ line: refusal.line }),
          why: inOurLanguage(refusal.code, null, refusal.message),
        }))}
      />
    </>
  )
}
