import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useCreateToken } from '../api/create-token'
import styles from './settings.module.css'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Until revoked' },
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
        <p>Here is the token “{data.name}”. Copy it now; it is not shown again.</p>
        <p className={styles.secret}>
          <code className={styles.code}>{data.token}</code>
          <CopyButton text={data.token} what="the token" />
        </p>
        <Button size="small" onPress={reset}>
          I have kept it
        </Button>
      </Notice>
    )
  }
  return (
    <Form className={styles.inline} onSubmit={make}>
      <TextField
        label="What is the token for"
        placeholder="Nightly import"
        maxLength={80}
        isRequired
        value={name}
        onChange={setName}
        error={error ? asApiError(error).message : undefined}
      />
      <Select label="Works for" choices={lifetimes} value={lifetime} onChange={setLifetime} />
      <Button type="submit" icon="key" isPending={isPending}>
        Make a token
      </Button>
    </Form>
  )
}
