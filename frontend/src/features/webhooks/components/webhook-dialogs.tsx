import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Webhook, WebhookEvent, WebhookIn } from '@/lib/api/served'
import { t } from '@/messages/webhooks'
import { useChangeWebhook, useCreateWebhook } from '../api/webhooks'
import { allEvents, eventNames } from '../state/webhook-words'
import styles from './webhooks.module.css'

/** Makes a webhook, then shows its secret this once. */
export function NewWebhookDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { mutate, isPending, error, data } = useCreateWebhook(slug)
  return (
    <Dialog title={data ? t.webhookReady : t.makeWebhook} isOpen onClose={onClose}>
      {data ? (
        <Secret secret={data.secret} onDone={onClose} />
      ) : (
        <WebhookForm verb={t.makeWebhook} isPending={isPending} error={error} onSave={mutate} />
      )}
    </Dialog>
  )
}

interface OfWebhook {
  slug: string
  webhook: Webhook
  onClose: () => void
}

export function ChangeWebhookDialog({ slug, webhook, onClose }: OfWebhook) {
  const { mutate, isPending, error } = useChangeWebhook(slug, webhook.id)
  const save = (fields: WebhookIn) => mutate(fields, { onSuccess: onClose })
  return (
    <Dialog title={t.changeName({ name: webhook.name })} isOpen onClose={onClose}>
      <WebhookForm first={webhook} verb={t.save} isPending={isPending} error={error} onSave={save} />
    </Dialog>
  )
}

/** The secret, which is nowhere to be seen later. */
export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className={styles.form}>
      <p>{t.secretOnce}</p>
      <p className={styles.secret}>
        <code className={styles.code}>{secret}</code>
        <CopyButton text={secret} what={t.theSecret} variant="primary" />
      </p>
      <div>
        <Button onPress={onDone}>{t.done}</Button>
      </div>
    </div>
  )
}

interface WebhookFormProps {
  first?: Webhook
  verb: string
  isPending: boolean
  error: unknown
  onSave: (fields: WebhookIn) => void
}

function WebhookForm({ first, verb, isPending, error, onSave }: WebhookFormProps) {
  const [name, setName] = useState(first?.name ?? '')
  const [url, setUrl] = useState(first?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(first?.events ?? [])
  const said = error ? asApiError(error).fieldErrors() : {}
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents((before) => allEvents.filter((each) => (each === event ? isChosen : before.includes(each))))
  const save = (submitted: SyntheticEvent) => {
    submitted.preventDefault()
    onSave({ name, url: url.trim(), events: [...events] })
  }
  return (
    <Form className={styles.form} onSubmit={save}>
      {error != null && !said.name && !said.url && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <TextField
        label={t.name}
        placeholder={t.nameExample}
        isRequired
        maxLength={80}
        value={name}
        onChange={setName}
        error={said.name}
      />
      <TextField
        label={t.address}
        hint={t.addressHint}
        isRequired
        maxLength={500}
        inputMode="url"
        value={url}
        onChange={setUrl}
        error={said.url}
      />
      <fieldset className={styles.events}>
        <legend>{t.events}</legend>
        {allEvents.map((event) => (
          <CheckField
            key={event}
            label={eventNames[event]}
            isSelected={events.includes(event)}
            onChange={(isChosen) => choose(event, isChosen)}
          />
        ))}
      </fieldset>
      <div>
        <Button type="submit" variant="primary" isDisabled={events.length === 0} isPending={isPending}>
          {verb}
        </Button>
      </div>
    </Form>
  )
}
