import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useProjects } from '@/lib/project/get-projects'
import { t } from '@/messages/people'
import { useCreateToken } from '../api/create-token'
import styles from './settings.module.css'

const lifetimes = [
  { value: '30', label: t.days30 },
  { value: '90', label: t.days90 },
  { value: '365', label: t.aYear },
  { value: 'never', label: t.untilRevoked },
] as const

const accesses = [
  { value: 'change', label: t.readAndChange },
  { value: 'read', label: t.onlyRead },
  { value: 'releases', label: t.onlyReleases },
] as const

type Access = (typeof accesses)[number]['value']

type Lifetime = (typeof lifetimes)[number]['value']

/** Makes a token and shows it this once. */
export function TokenForm() {
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [access, setAccess] = useState<Access>('change')
  const [project, setProject] = useState('')
  const projects = useProjects().data?.pages.flatMap((page) => page.results) ?? []
  const { mutate, isPending, error, data, reset } = useCreateToken()
  const make = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const days = lifetime === 'never' ? null : Number(lifetime)
    const limits = {
      is_read_only: access !== 'change',
      is_for_releases: access === 'releases',
      project: project || null,
    }
    mutate({ name, expires_in_days: days, ...limits }, { onSuccess: () => setName('') })
  }
  if (data) {
    return (
      <Notice tone="good">
        <p>{t.hereIsToken({ name: data.name })}</p>
        <p className={styles.secret}>
          <code className={styles.code}>{data.token}</code>
          <CopyButton text={data.token} what={t.theToken} />
        </p>
        <Button size="small" onPress={reset}>
          {t.keptIt}
        </Button>
      </Notice>
    )
  }
  return (
    <Form className={styles.token} onSubmit={make}>
      <TextField
        label={t.tokenPurpose}
        placeholder={t.tokenExample}
        maxLength={80}
        isRequired
        value={name}
        onChange={setName}
        error={error ? asApiError(error).message : undefined}
      />
      <Select label={t.worksFor} choices={lifetimes} value={lifetime} onChange={setLifetime} />
      <Select label={t.access} choices={accesses} value={access} onChange={setAccess} />
      <Select
        label={t.opens}
        choices={[
          { value: '', label: t.allMyProjects },
          ...projects.map(({ slug, name: label }) => ({ value: slug, label })),
        ]}
        value={project}
        onChange={setProject}
      />
      <Button type="submit" icon="plus" isPending={isPending}>
        {t.makeToken}
      </Button>
    </Form>
  )
}
