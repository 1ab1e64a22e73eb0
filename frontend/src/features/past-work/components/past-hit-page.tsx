import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Mat } from '@/components/ui/mat'
import { MatPage, PanelHeader } from '@/components/ui/mat-page'
import { Page } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { PastHit } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/past-work'
import { pastWorkActions } from '../actions'
import { usePastHit } from '../api/get-past-work'
import { type Closing, oneClosing } from '../closing'
import { lastFilter } from '../state/past-filter'
import styles from './past-hit-page.module.css'
import { PastItemView } from './past-item'

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
  const list = useRef<HTMLOListElement>(null)
  const navigate = useNavigate()
  const asked = hit.items.findIndex((item) => item.position === at)
  const { active, move, goTo } = useActiveRow({ list, ids: hit.items.map(({ position }) => position) })
  const [open, setOpen] = useState<number | null>(null)
  const closing = oneClosing(hit.items)
  const openAt = useEffectEvent(() => {
    if (asked >= 0) goTo(asked)
  })
  useEffect(() => openAt(), [])
  useActions(pastWorkActions, {
    'past.next': () => move(1),
    'past.previous': () => move(-1),
    'past.change': { when: () => hit.items[active]?.closed === null, perform: () => setOpen(active) },
    'past.list': () =>
      void navigate({ to: '/projects/$slug/past-work', params: { slug }, search: { ...lastFilter(slug) } }),
  })
  return (
    <Around image={hit.image}>
      <Header hit={hit} closing={closing} />
      <ol ref={list} className={hit.query ? styles.grid : styles.list}>
        {hit.items.map((item, index) => (
          <PastItemView
            key={item.position}
            slug={slug}
            assignmentId={hit.id}
            item={item}
            index={index}
            isActive={index === active}
            isOpen={index === open}
            isSaidAbove={closing !== null}
            onOpen={(opens) => setOpen(opens ? index : null)}
          />
        ))}
      </ol>
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

function Header({ hit, closing }: { hit: PastHit; closing: Closing | null }) {
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
      {closing && <Closed hit={hit} closing={closing} />}
    </PanelHeader>
  )
}

/** What stands open on a closed page is what the head annotator wrote about. */
function Closed({ hit, closing: { by, on } }: { hit: PastHit; closing: Closing }) {
  const words = hit.items.every((item) => item.closed) ? t.closed : t.closedButRemarks
  return <p className={styles.closed}>{words({ name: by, day: dayOf(on) })}</p>
}

function Sent({ hit }: { hit: PastHit }) {
  return (
    <>
      {t.sent} <RelativeTime at={hit.submitted_at ?? hit.expires_at} />
      {hit.status === 'late' && `, ${t.late}`}
    </>
  )
}
