import { type ReactNode, useState } from 'react'
import { Form } from 'react-aria-components'
import { Page, PageHeader } from '@/components/ui/page-header'
import { SaveBar, SaveFailure } from '@/components/ui/save-bar'
import { SettingsSection } from '@/components/ui/settings-section'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/projects'
import { useUpdateProject } from '../api/update-project'
import { changedKnobs, type Knobs, knobsOf } from '../state/knobs'
import { ChangeEffects } from './change-effects'
import { ExamplesSection } from './examples-section'
import { GuidelinesField } from './guidelines-field'
import { KnobSections } from './knob-fields'
import styles from './project-settings-page.module.css'
import { StaleNotice } from './stale-notice'

export interface ProjectSettingsPageProps {
  project: Project
  /** Sections with forms of their own, under this one. */
  more?: ReactNode
}

/** The form starts from the version that was read; what others save meanwhile never slips in unseen. */
export function ProjectSettingsPage({ project, more }: ProjectSettingsPageProps) {
  const [base, setBase] = useState(project)
  const [draft, setDraft] = useState<Knobs>(() => knobsOf(project))
  const { mutate, isPending, error, reset } = useUpdateProject(project.slug)
  const failure = error && asApiError(error)
  const fields = failure?.fieldErrors() ?? {}
  const changes = changedKnobs(knobsOf(base), draft)
  const isChanged = Object.keys(changes).length > 0
  const begin = (from: Project) => {
    setBase(from)
    setDraft(knobsOf(from))
    reset()
  }
  const save = (version: number) =>
    mutate(
      { ...changes, version },
      {
        onSuccess: (saved) => {
          begin(saved)
          showToast(t.projectSaved)
        },
      },
    )
  const set = (change: Partial<Knobs>) => setDraft({ ...draft, ...change })
  return (
    <Page>
      <PageHeader
        title={t.settings}
        lead={t.settingsLead({ direction: directionWords[project.direction], version: base.version })}
      />
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) save(base.version)
        }}
      >
        <SettingsSection title={t.name}>
          <TextField
            label={t.name}
            isRequired
            maxLength={120}
            value={draft.name}
            onChange={(name) => set({ name })}
            error={fields.name}
          />
        </SettingsSection>
        <SettingsSection title={t.guidelines} note={t.guidelinesNote}>
          <GuidelinesField
            direction={project.direction}
            value={draft.guidelines}
            onChange={(guidelines) => set({ guidelines })}
            error={fields.guidelines}
          />
        </SettingsSection>
        <KnobSections draft={draft} onChange={set} errors={fields} />
        <SaveBar
          verb={t.save}
          isChanged={isChanged}
          isPending={isPending}
          isHeld={failure?.code === 'stale'}
          onDiscard={() => begin(base)}
          failure={
            failure?.code === 'stale' ? (
              <StaleNotice
                slug={project.slug}
                draft={draft}
                isSaving={isPending}
                onTakeTheirs={begin}
                onKeepMine={save}
              />
            ) : (
              failure && <SaveFailure failure={failure} />
            )
          }
        >
          <ChangeEffects base={knobsOf(base)} draft={draft} />
        </SaveBar>
      </Form>
      <div className={styles.more}>
        <ExamplesSection
          project={project}
          version={base.version}
          onSaved={(version) => setBase({ ...base, version })}
        />
        {more}
      </div>
    </Page>
  )
}

const directionWords: Record<Project['direction'], string> = {
  captions_of_image: t.captionsOfImage,
  images_of_query: t.imagesOfQuery,
}
