import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { SettingsSection } from '@/components/ui/settings-section'
import { asApiError } from '@/lib/api/api-error'
import type { Webhook } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/webhooks'
import { useChangeWebhook, useDeleteWebhook, useRenewSecret, useSendTest } from '../api/webhooks'
import { eventName, whyDisabled } from '../state/webhook-words'
import { DeliveryList } from './delivery-list'
import { ChangeWebhookDialog, Secret } from './webhook-dialogs'
import styles from './webhooks.module.css'

type Asked = 'change' | 'secret' | 'delete' | null

interface OfWebhook {
  slug: string
  webhook: Webhook
}

/** One webhook: where it sends what, and the log of its deliveries. */
export function WebhookSection({ slug, webhook }: OfWebhook) {
  const [isLogOpen, setLogOpen] = useState(false)
  return (
    <SettingsSection title={webhook.name} note={<span className={styles.url}>{webhook.url}</span>}>
      <div className={styles.lineHead}>
        <Badge tone={webhook.is_enabled ? 'done' : 'warning'}>{webhook.is_enabled ? t.enabled : t.disabled}</Badge>
        <span className={styles.note}>
          {webhook.succeeded_at ? (
            <Sentence of={t.lastDelivery} parts={{ when: <RelativeTime at={webhook.succeeded_at} /> }} />
          ) : (
            t.neverDelivered
          )}
        </span>
      </div>
      {webhook.disabled_why !== '' && (
        <Notice tone={webhook.disabled_why === 'by_hand' ? 'neutral' : 'bad'}>{whyDisabled[webhook.disabled_why]}</Notice>
      )}
      <ul className={styles.lineHead} aria-label={t.events}>
        {webhook.events.map((event) => (
          <li key={event}>
            <Badge>{eventName(event)}</Badge>
          </li>
        ))}
      </ul>
      <Deeds slug={slug} webhook={webhook} onTested={() => setLogOpen(true)} />
      <Disclosure summary={t.deliveries} isOpen={isLogOpen} onToggle={setLogOpen}>
        <DeliveryList slug={slug} webhook={webhook} />
      </Disclosure>
    </SettingsSection>
  )
}

function Deeds({ slug, webhook, onTested }: OfWebhook & { onTested: () => void }) {
  const [asked, setAsked] = useState<Asked>(null)
  const testing = useSendTest(slug, webhook.id)
  const changing = useChangeWebhook(slug, webhook.id)
  const deleting = useDeleteWebhook(slug, webhook.id)
  const close = () => setAsked(null)
  const failed = testing.error ?? changing.error
  return (
    <>
      <div className={styles.deeds}>
        <Button
          size="small"
          isDisabled={!webhook.is_enabled}
          isPending={testing.isPending}
          onPress={() => testing.mutate(undefined, { onSuccess: onTested })}
        >
          {t.sendTest}
        </Button>
        <Button size="small" onPress={() => setAsked('change')}>
          {t.change}
        </Button>
        <Button size="small" onPress={() => setAsked('secret')}>
          {t.renewSecret}
        </Button>
        <Button
          size="small"
          isPending={changing.isPending}
          onPress={() => changing.mutate({ is_enabled: !webhook.is_enabled })}
        >
          {webhook.is_enabled ? t.disable : t.enable}
        </Button>
        <Button size="small" variant="quiet" onPress={() => setAsked('delete')}>
          {t.deleteWebhook}
        </Button>
      </div>
      {failed && <Notice tone="bad">{asApiError(failed).message}</Notice>}
      {asked === 'change' && <ChangeWebhookDialog slug={slug} webhook={webhook} onClose={close} />}
      {asked === 'secret' && <SecretDialog slug={slug} webhook={webhook} onClose={close} />}
      <ConfirmDialog
        title={t.deleteQuestion({ name: webhook.name })}
        verb={t.deleteWebhook}
        isOpen={asked === 'delete'}
        isPending={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        {t.deleteConsequence}
      </ConfirmDialog>
    </>
  )
}

/** Asks once, then shows the new secret. */
function SecretDialog({ slug, webhook, onClose }: OfWebhook & { onClose: () => void }) {
  const { mutate, isPending, error, data } = useRenewSecret(slug, webhook.id)
  return (
    <Dialog title={t.renewQuestion({ name: webhook.name })} isOpen onClose={onClose}>
      {data ? (
        <Secret secret={data.secret} onDone={onClose} />
      ) : (
        <div className={styles.form}>
          <p>{t.renewConsequence}</p>
          {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
          <div>
            <Button variant="primary" isPending={isPending} onPress={() => mutate(undefined)}>
              {t.renewSecret}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
