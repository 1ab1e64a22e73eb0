import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SettingsSection } from '@/components/ui/settings-section'
import { TextField } from '@/components/ui/text-field'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/projects'
import { useDeleteProject } from '../api/delete-project'
import styles from './delete-section.module.css'

/** Deletes the project with everything in it, after its address was typed. */
export function DeleteSection({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <SettingsSection title={t.deleteProject} note={t.deleteNote}>
      <div>
        <Button variant="danger" onPress={() => setAsking(true)}>
          {t.deleteThisProject}
        </Button>
      </div>
      {isAsking && <DeleteDialog project={project} onClose={() => setAsking(false)} onDeleted={onDeleted} />}
    </SettingsSection>
  )
}

interface DeleteDialogProps {
  project: Project
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ project, onClose, onDeleted }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useDeleteProject(project.slug)
  const { images, judgments, releases } = project.counts
  return (
    <ConfirmDialog
      title={t.deleteQuestion({ name: project.name })}
      verb={t.deleteForGood}
      isOpen
      isPending={isPending}
      isDisabled={typed !== project.slug}
      error={error}
      onConfirm={() => mutate(typed, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <div className={styles.dialog}>
        <p>{t.deleteConsequence({ images, judgments, releases })}</p>
        <TextField label={t.typeSlug({ slug: project.slug })} value={typed} onChange={setTyped} />
      </div>
    </ConfirmDialog>
  )
}
