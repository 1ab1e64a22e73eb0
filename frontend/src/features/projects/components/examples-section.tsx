import { useMemo, useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { SaveBar } from '@/components/ui/save-bar'
import { SettingsSection } from '@/components/ui/settings-section'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { WorkedExample } from '@/components/ui/worked-examples'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { GuidelineExample } from '@/lib/api/served'
import { useExamples } from '@/lib/project/get-examples'
import { t } from '@/messages/projects'
import { useSetExamples } from '../api/set-examples'
import { type EditableExample, editable, moved, toBeSaved, without, withKept } from '../state/examples'
import { ExampleDialog } from './example-dialog'
import styles from './examples.module.css'

export interface ExamplesSectionProps {
  project: Project
  /** The project's version that the page was read at. */
  version: number
  onSaved: (version: number) => void
}

/** The worked examples of the guidelines, in their order; saved together, with a new version of the project. */
export function ExamplesSection(props: ExamplesSectionProps) {
  const { data, error, refetch } = useExamples(props.project.slug, { staleTime: 0 })
  const stood = useMemo(() => data && editable(data.examples), [data])
  return (
    <SettingsSection title={t.examples} note={t.examplesNote}>
      {!stood && !error && <Skeleton label={t.examples} rows={2} />}
      {error && <ErrorState error={error} title={t.examplesNotShown} onRetry={() => void refetch()} />}
      {stood && <ExamplesForm {...props} stood={stood} />}
    </SettingsSection>
  )
}

type ExamplesFormProps = ExamplesSectionProps & { stood: readonly EditableExample[] }

function ExamplesForm({ project, version, stood, onSaved }: ExamplesFormProps) {
  const [draft, setDraft] = useState(stood)
  const [base, setBase] = useState(stood)
  const [open, setOpen] = useState<number | null>(null)
  const { mutate, isPending, error, reset } = useSetExamples(project.slug)
  const save = () =>
    mutate(
      { version, examples: draft.map(toBeSaved) },
      {
        onSuccess: (saved) => {
          const stands = editable(saved.examples) ?? draft
          setDraft(stands)
          setBase(stands)
          onSaved(saved.version)
          showToast(t.examplesSaved)
        },
      },
    )
  return (
    <>
      {draft.length === 0 && <p className={styles.note}>{t.noExamples}</p>}
      <ol className={styles.list}>
        {draft.map((example, at) => (
          <ExampleRow
            key={`${example.image} ${example.text}`}
            example={example}
            number={at + 1}
            isLast={at === draft.length - 1}
            onChange={() => setOpen(at)}
            onMove={(by) => setDraft(moved(draft, at, by))}
            onRemove={() => setDraft(without(draft, at))}
          />
        ))}
      </ol>
      <div className={styles.ways}>
        <Button icon="plus" onPress={() => setOpen(draft.length)}>
          {t.addExample}
        </Button>
      </div>
      <SaveBar
        verb={t.saveExamples}
        isChanged={draft !== base}
        isPending={isPending}
        onSave={save}
        onDiscard={() => {
          setDraft(base)
          reset()
        }}
        failure={error && <Notice tone="bad">{refusalWords(error)}</Notice>}
      >
        {t.effectGuidelines}
      </SaveBar>
      {open !== null && (
        <ExampleDialog
          project={project}
          example={draft[open] ?? null}
          onKeep={(kept) => {
            setDraft(withKept(draft, open, kept))
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

/** Which of them the server means, where it says so. */
function refusalWords(error: Error): string {
  const { message, details } = asApiError(error)
  const position = details?.position
  return typeof position === 'number' ? t.exampleRefused({ n: position, why: message }) : message
}

interface ExampleRowProps {
  example: GuidelineExample
  number: number
  isLast: boolean
  onChange: () => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function ExampleRow({ example, number, isLast, onChange, onMove, onRemove }: ExampleRowProps) {
  return (
    <li className={styles.row}>
      <WorkedExample example={example} number={number} />
      <div className={styles.deeds}>
        <IconButton
          icon="chevronUp"
          aria-label={t.exampleUp({ n: number })}
          isDisabled={number === 1}
          onPress={() => onMove(-1)}
        />
        <IconButton
          icon="chevronDown"
          aria-label={t.exampleDown({ n: number })}
          isDisabled={isLast}
          onPress={() => onMove(1)}
        />
        <Button size="small" variant="quiet" aria-label={t.exampleChange({ n: number })} onPress={onChange}>
          {t.change}
        </Button>
        <Button size="small" variant="quiet" aria-label={t.exampleRemove({ n: number })} onPress={onRemove}>
          {t.remove}
        </Button>
      </div>
    </li>
  )
}
