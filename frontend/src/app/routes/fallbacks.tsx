import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LinkButton } from '@/components/ui/link-button'
import { Page } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { t } from '@/messages/shell'

export function LoadingPage() {
  return (
    <Page>
      <Skeleton label={t.thePage} />
    </Page>
  )
}

export function NotFoundPage() {
  return (
    <Page>
      <EmptyState
        isPage
        title={t.noPageTitle}
        icon="search"
        action={
          <LinkButton to="/" variant="primary">
            {t.goToProjects}
          </LinkButton>
        }
      >
        {t.noPage}
      </EmptyState>
    </Page>
  )
}

/** Catches what a page's loading or drawing threw. */
export function RouteErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page>
      <ErrorState isPage error={error} onRetry={retry} />
    </Page>
  )
}
