import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { t } from '@/messages/webhooks'
import { useWebhooks } from '../api/webhooks'
import { NewWebhookDialog } from './webhook-dialogs'
import { WebhookSection } from './webhook-section'

/** The addresses of other programs that hear of events in the project, and what was sent to them. */
export function WebhooksPage({ slug }: { slug: string }) {
  const [isMaking, setMaking] = useState(false)
  return (
    <Page>
      <PageHeader
        title={t.webhooks}
        lead={t.lead}
        actions={
          <Button variant="primary" icon="plus" onPress={() => setMaking(true)}>
            {t.makeWebhook}
          </Button>
        }
      />
      <WebhookList slug={slug} />
      {isMaking && <NewWebhookDialog slug={slug} onClose={() => setMaking(false)} />}
    </Page>
  )
}

function WebhookList({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useWebhooks(slug)
  if (isPending) return <Skeleton label={t.theWebhooks} rows={4} />
  if (error) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  if (data.results.length === 0) {
    return (
      <EmptyState title={t.noWebhooks} icon="link">
        {t.noWebhooksHint}
      </EmptyState>
    )
  }
  return data.results.map((webhook) => <WebhookSection key={webhook.id} slug={slug} webhook={webhook} />)
}
