import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { MoreButton } from '@/components/ui/more-button'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import type { Delivery, DeliveryTry, Webhook } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/webhooks'
import { useDeliveries, useSendAgain } from '../api/webhooks'
import { eventName, stateNames, tryInWords } from '../state/webhook-words'
import styles from './webhooks.module.css'

interface OfWebhook {
  slug: string
  webhook: Webhook
}

/** What was sent to a webhook, newest first, with every try. */
export function DeliveryList({ slug, webhook }: OfWebhook) {
  const { data, error, isPending, refetch, ...pages } = useDeliveries(slug, webhook.id)
  if (isPending) return <Skeleton label={t.theDeliveries} rows={2} />
  if (error) return <ErrorState error={error} title={t.deliveriesNotShown} onRetry={() => void refetch()} />
  const deliveries = data.pages.flatMap((page) => page.results)
  if (deliveries.length === 0) return <p className={styles.note}>{t.noDeliveries}</p>
  return (
    <>
      <ul aria-label={t.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryLine key={delivery.id} slug={slug} webhook={webhook} delivery={delivery} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.earlierDeliveries}</MoreButton>
    </>
  )
}

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'neutral',
  delivered: 'done',
  failed: 'failed',
  cancelled: 'neutral',
}

function DeliveryLine({ slug, webhook, delivery }: OfWebhook & { delivery: Delivery }) {
  const { mutate, isPending, error } = useSendAgain(slug, webhook.id)
  const last = delivery.tries.at(-1)
  return (
    <li className={styles.line}>
      <div className={styles.lineHead}>
        <strong>{eventName(delivery.event)}</strong>
        <Badge tone={tones[delivery.state]}>{stateNames[delivery.state]}</Badge>
        <span className={styles.note}>
          <RelativeTime at={delivery.created_at} />
          {last && `, ${tryInWords(last)}`}
        </span>
        {delivery.state !== 'pending' && webhook.is_enabled && (
          <Button size="small" variant="quiet" isPending={isPending} onPress={() => mutate(delivery.id)}>
            {t.sendAgain}
          </Button>
        )}
      </div>
      {delivery.state === 'pending' && delivery.next_at && last && (
        <p className={styles.note}>{t.nextTry({ when: absoluteTime(new Date(delivery.next_at)) })}</p>
      )}
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <Disclosure summary={t.details}>
        <div className={styles.tries}>
          <p className={styles.note}>{t.messageId({ id: delivery.message_id })}</p>
          <pre className={styles.code}>{JSON.stringify(delivery.message, null, 2)}</pre>
          {delivery.tries.map((each) => (
            <TryLine key={each.at} tried={each} />
          ))}
        </div>
      </Disclosure>
    </li>
  )
}

function TryLine({ tried }: { tried: DeliveryTry }) {
  return (
    <div>
      <p>
        <RelativeTime at={tried.at} />
        {`, ${tryInWords(tried)}, ${t.ms({ n: tried.ms })}`}
      </p>
      {tried.answer && <pre className={styles.code}>{tried.answer}</pre>}
    </div>
  )
}
