import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { Dialog } from '@/components/ui/dialog'
import { useLabelLooks } from '@/components/ui/label-looks'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { ExportFormat, ExportIn, ExportKind, LeftOut } from '@/lib/api/served'
import { t } from '@/messages/exports'
import { useCreateExport, useReleaseChoices } from '../api/exports'
import { filterOf, formatNames, formatsOf, kindNames, leftOutNames } from '../state/export-words'
import styles from './exports.module.css'

const kinds = Object.keys(kindNames) as ExportKind[]
const leavable = Object.keys(leftOutNames) as LeftOut[]

/** Asks for what, in which format, and which rows; the list shows how it goes on. */
export function NewExportDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const looks = useLabelLooks()
  const [what, setWhat] = useState<ExportKind>('judgments')
  const [wanted, setFormat] = useState<ExportFormat>('csv')
  const [chosen, setRelease] = useState<string | null>(null)
  const [filter, setFilter] = useState('')
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>(['times'])
  const { data } = useReleaseChoices(project.slug)
  const { mutate, isPending, error } = useCreateExport(project.slug)
  const releases = data?.results ?? []
  const release = chosen ?? releases[0]?.id ?? null
  const format = formatsOf[what].includes(wanted) ? wanted : (formatsOf[what][0] ?? 'csv')
  const field = filterOf(what, format, looks)
  const leave = (name: LeftOut, isOut: boolean) =>
    setLeftOut((before) => leavable.filter((each) => (each === name ? isOut : before.includes(each))))
  const save = (submitted: SyntheticEvent) => {
    submitted.preventDefault()
    const body: ExportIn = { what, format, filter: field && filter ? { [field.name]: filter } : {} }
    if (what === 'release') body.release = release
    if (what === 'judgments') body.leave_out = [...leftOut]
    mutate(body, { onSuccess: onClose })
  }
  const offered = kinds.filter((kind) => kind !== 'release' || releases.length > 0)
  return (
    <Dialog title={t.newExport} isOpen onClose={onClose}>
      <Form className={styles.form} onSubmit={save}>
        {error != null && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <Select
          label={t.what}
          choices={offered.map((value) => ({ value, label: kindNames[value] }))}
          value={what}
          onChange={(kind) => {
            setWhat(kind)
            setFilter('')
          }}
        />
        {what === 'release' && (
          <Select
            label={t.release}
            choices={releases.map(({ id, label }) => ({ value: id, label: t.version({ version: label }) }))}
            value={release}
            onChange={setRelease}
          />
        )}
        <Select
          label={t.format}
          choices={formatsOf[what].map((value) => ({ value, label: formatNames[value] }))}
          value={format}
          onChange={setFormat}
        />
        {field && <Select label={field.label} choices={field.choices} value={filter} onChange={setFilter} />}
        {what === 'judgments' && (
          <fieldset className={styles.choices}>
            <legend>{t.leaveOut}</legend>
            {leavable.map((name) => (
              <CheckField
                key={name}
                label={leftOutNames[name]}
                isSelected={leftOut.includes(name)}
                onChange={(isOut) => leave(name, isOut)}
              />
            ))}
          </fieldset>
        )}
        <p className={styles.note}>{t.pseudonyms}</p>
        <div>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t.start}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
