import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/people'
import { useCreateToken } from '../api/create-token'
import styles from './settings.module.css'

const lifetimes = [
  { value: '30', label: t.days30 },
  { value: '90', label: t.days90 },
  { value: '365', label: t.aYear },
  { value: 'never', label: t.untilRevoked },
] as const

type Lifetime = (typeof lifetimes)[number]['value']

/** Makes a token and shows it this once. */
export function TokenForm() {
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const { mutate, isPending, error, data, reset } = useCreateToken()
  const make = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const days = lifetime === 'never' ? null : Number(lifetime)
    mutate({ name, expires_in_days: days }, { onSuccess: () => setName('') })
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
    <Form className={styles.inline} onSubmit={make}>
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
      <Button type="submit" icon="key" isPending={isPending}>
        {t.makeToken}
      </Button>
    </Form>
  )
}
