import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Page } from '@/components/ui/page-header'
import { LinkButton } from '@/components/ui/link-button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'

export function LoadingPage() {
  return (
    <Page>
      <Skeleton label="the page" />
    </Page>
  )
}

export function NotFoundPage() {
  return (
    <Page>
      <EmptyState
        isPage
        title="There is no page here"
        icon="search"
        action={
          <LinkButton to="/" variant="primary">
            Go to your projects
          </LinkButton>
        }
      >
        The address may be mistyped, or what stood here belongs to a project you are not a member of.
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
