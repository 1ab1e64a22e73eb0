import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Mat } from '@/components/ui/mat'
import { MatPage, PanelHeader } from '@/components/ui/mat-page'
import { Page } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { PastHit } from '@/lib/api/served'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/past-work'
import { usePastHit } from '../api/get-past-work'
import { oneClosing } from '../closing'
import { lastFilter } from '../state/past-filter'
import styles from './past-hit-page.module.css'
import { PastItems } from './past-items'
import { Closed, Sent } from './sent-words'

export interface PastHitPageProps {
  project: Project
  assignmentId: string
  /** The position that is asked about, where a remark leads here. */
  at: number | undefined
}

/** One page as it stood when it was sent, open to another mind where the review has not closed it. */
export function PastHitPage({ project: { slug }, assignmentId, at }: PastHitPageProps) {
  usePageTitle(t.pageTitle)
  const { data: hit, error, isPending, refetch } = usePastHit(slug, assignmentId)
  if (hit) return <Past slug={slug} hit={hit} at={at} />
  return (
    <Page>
      {isPending && <Skeleton label={t.thePage} rows={5} />}
      {error && <ErrorState isPage error={error} title={t.pageNotShown} onRetry={() => void refetch()} />}
    </Page>
  )
}

function Past({ slug, hit, at }: { slug: string; hit: PastHit; at: number | undefined }) {
  const navigate = useNavigate()
  const leave = () =>
    void navigate({ to: '/projects/$slug/past-work', params: { slug }, search: { ...lastFilter(slug) } })
  return (
    <Around image={hit.image}>
      <Header hit={hit} />
      <PastItems slug={slug} hit={hit} at={at} isSaidAbove={oneClosing(hit.items) !== null} onLeave={leave} />
    </Around>
  )
}

/** Captions stand beside their photograph; the photographs of a query are the items, and have the width. */
function Around({ image, children }: { image: PastHit['image']; children: ReactNode }) {
  if (!image) return <Page>{children}</Page>
  const { url, width, height } = image.thumbnail.large
  const mat = (
    <Mat tools={null}>
      <img src={url} alt={t.photograph} width={width} height={height} />
    </Mat>
  )
  return (
    <MatPage className={styles.page} mat={mat}>
      {children}
    </MatPage>
  )
}

function Header({ hit }: { hit: PastHit }) {
  const query = hit.query && (
    <span className={styles.query} dir="auto">
      {hit.query.text}
    </span>
  )
  return (
    <PanelHeader
      title={query ?? t.pageTitle}
      lead={<Sent hit={hit} />}
      action={<ActionButton id="past.list" size="small" variant="quiet" icon="chevronLeft" showsKey />}
    >
      <Closed hit={hit} />
    </PanelHeader>
  )
}
