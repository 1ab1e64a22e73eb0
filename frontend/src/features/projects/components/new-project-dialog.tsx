import { useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/projects'
import { useCreateProject } from '../api/create-project'
import styles from './new-project-dialog.module.css'

const formId = 'new-project'

const directions = [
  {
    value: 'captions_of_image',
    label: t.captionsOfImage,
    detail: t.captionsOfImageHint,
  },
  { value: 'images_of_query', label: t.imagesOfQuery, detail: t.imagesOfQueryHint },
] as const

/** Asks for the least a project needs; everything else has a default that its settings can change. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useCreateProject()
  const [name, setName] = useState('')
  const [direction, setDirection] = useState<Project['direction']>('captions_of_image')
  const said = error ? asApiError(error) : null
  const create = (event: SyntheticEvent) => {
    event.preventDefault()
    mutate({ name, direction }, { onSuccess: ({ slug }) => void navigate({ to: '/projects/$slug/walk', params: { slug } }) })
  }
  return (
    <Dialog title={t.startProject} isOpen onClose={onClose} footer={<Deeds onClose={onClose} isPending={isPending} />}>
      <Form id={formId} className={styles.form} onSubmit={create}>
        {said && (
          <p role="alert" className={styles.error}>
            {said.message}
          </p>
        )}
        <TextField
          label={t.name}
          name="name"
          isRequired
          maxLength={120}
          autoFocus
          value={name}
          onChange={setName}
          error={said?.fieldErrors().name}
        />
        <Select label={t.whatIsJudged} choices={directions} value={direction} onChange={setDirection} />
      </Form>
    </Dialog>
  )
}

function Deeds({ onClose, isPending }: { onClose: () => void; isPending: boolean }) {
  return (
    <>
      <Button variant="quiet" onPress={onClose}>
        {t.cancel}
      </Button>
      <Button type="submit" form={formId} variant="primary" isPending={isPending}>
        {t.startTheProject}
      </Button>
    </>
  )
}
