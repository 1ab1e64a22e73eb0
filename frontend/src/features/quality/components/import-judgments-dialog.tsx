import { useState } from 'react'
import { Disclosure } from '@/components/ui/disclosure'
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
import styles from './standing-form.module.css'

type Chosen = Omit<JudgmentFile, 'file'> & { file: File | null }

const types = ['.csv', '.tsv', '.txt', '.jsonl', '.ndjson', '.json', '.xlsx', '.parquet', '.gz']
const nothing: Chosen = { file: null, queries: null, labels: '', task: '', worker: '', label: '', annotator: '' }

/** Judgments out of another platform's file, of pairs that stand in HITs here. */
export function ImportJudgmentsDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [chosen, setChosen] = useState(nothing)
  const { mutate, isPending, error, data, reset } = useImportJudgments(project.slug)
  const choose = (part: Partial<Chosen>) => {
    setChosen((before) => ({ ...before, ...part }))
    reset()
  }
  const { file, queries, labels } = chosen
  return (
    <ImportDialog
      title={t.importJudgments}
      onClose={onClose}
      send={file ? () => mutate({ ...chosen, file }) : undefined}
      isPending={isPending}
      error={error}
      outcome={data && <Outcome of={data} />}
    >
      <p>
        <Sentence of={t.judgmentFormat} parts={columns} />
      </p>
      <ChooseFile file={file} types={types} onChoose={(one) => choose({ file: one })} />
      {project.direction === 'images_of_query' && (
        <ChooseFile label={t.chooseQueries} file={queries} onChoose={(one) => choose({ queries: one })} />
      )}
      <TextField
        label={t.theirLabels}
        hint={t.theirLabelsHint}
        value={labels}
        onChange={(value) => choose({ labels: value })}
      />
      <Disclosure summary={t.otherColumns}>
        <ColumnFields chosen={chosen} choose={choose} />
      </Disclosure>
    </ImportDialog>
  )
}

interface ColumnFieldsProps {
  chosen: Chosen
  choose: (part: Partial<Chosen>) => void
}

/** For a file whose names are its own: what is task, worker and label there. */
function ColumnFields({ chosen, choose }: ColumnFieldsProps) {
  return (
    <div className={styles.parts}>
      <TextField
        label={t.taskColumn}
        hint={t.taskColumnHint}
        value={chosen.task}
        onChange={(task) => choose({ task })}
      />
      <TextField label={t.workerColumn} value={chosen.worker} onChange={(worker) => choose({ worker })} />
      <TextField
        label={t.labelColumn}
        hint={t.labelColumnHint}
        value={chosen.label}
        onChange={(label) => choose({ label })}
      />
      <TextField
        label={t.fileAnnotator}
        hint={t.fileAnnotatorHint}
        value={chosen.annotator}
        onChange={(annotator) => choose({ annotator })}
      />
    </div>
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
          why: inOurLanguage(code, null, why),
        }))}
      />
    </>
  )
}
