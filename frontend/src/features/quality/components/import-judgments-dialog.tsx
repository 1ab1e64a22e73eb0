import { useState } from 'react'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import type { Project } from '@/lib/api/contract'
import type { JudgmentImport } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { type JudgmentFile, useImportJudgments } from '../api/judgments'
import { ChooseFile } from './choose-file'
import { Column, ImportDialog, RefusedRows } from './import-dialog'

type Chosen = Omit<JudgmentFile, 'file'> & { file: File | null }

/** Judgments out of another platform's file, of pairs that stand in HITs here. */
export function ImportJudgmentsDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [{ file, queries, labels }, setChosen] = useState<Chosen>({ file: null, queries: null, labels: '' })
  const { mutate, isPending, error, data, reset } = useImportJudgments(project.slug)
  const choose = (part: Partial<Chosen>) => {
    setChosen((chosen) => ({ ...chosen, ...part }))
    reset()
  }
  return (
    <ImportDialog
      title={t.importJudgments}
      onClose={onClose}
      send={file ? () => mutate({ file, queries, labels }) : undefined}
      isPending={isPending}
      error={error}
      outcome={data && <Outcome of={data} />}
    >
      <p>
        <Sentence of={t.judgmentFormat} parts={columns} />
      </p>
      <ChooseFile file={file} onChoose={(chosen) => choose({ file: chosen })} />
      {project.direction === 'images_of_query' && (
        <ChooseFile label={t.chooseQueries} file={queries} onChoose={(chosen) => choose({ queries: chosen })} />
      )}
      <TextField
        label={t.theirLabels}
        hint={t.theirLabelsHint}
        value={labels}
        onChange={(value) => choose({ labels: value })}
      />
    </ImportDialog>
  )
}

const columns = {
  task: <Column name="task" />,
  worker: <Column name="worker" />,
  label: <Column name="label" />,
}

function Outcome({ of }: { of: JudgmentImport }) {
  return (
    <>
      <Notice tone={of.n_refused > 0 ? 'neutral' : 'good'}>
        {t.judgmentsTaken({ n: of.n_new })}
        {of.n_new > 0 && of.n_people > 0 && ` ${t.ofPeople({ n: of.n_people })}`}
        {of.n_there > 0 && `, ${t.knownN({ known: of.n_there })}`}
        {of.n_refused > 0 && `, ${t.rowsRefused({ n: of.n_refused })}`}.
      </Notice>
      <RefusedRows
        rows={of.refused.map(({ code, why, n, places }) => ({
          where: t.refusedAt({ n, places }),
          why: inOurLanguage(code, why),
        }))}
      />
    </>
  )
}
