import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { ActionButton, ActionIconButton } from '@/components/ui/action-button'
import { Mat } from '@/components/ui/mat'
import { MatPage, PanelHeader } from '@/components/ui/mat-page'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Candidate, ImageDetail, PoolSummary } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { useImage } from '@/lib/images/get-image'
import { inOurLanguage } from '@/lib/language/catalogue'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/candidates'
import { poolActions } from '../actions'
import { useDecidedCandidate } from '../api/decide-candidate'
import { usePool } from '../api/get-pool'
import { usePoolSummary } from '../api/get-pool-summary'
import { useRetrieved } from '../api/get-retrieved'
import { isNarrowed, type PoolFilter, without } from '../state/pool-filter'
import { useDecisions } from '../state/use-decisions'
import { AddDialog } from './add-dialog'
import { DropDialog } from './drop-dialog'
import { PoolFilters } from './pool-filters'
import { PoolList } from './pool-list'
import styles from './pool-page.module.css'
import { SaidBar } from './said-bar'

export interface PoolPageProps {
  project: Project
  imageId: number
  filter: PoolFilter
  onFilter: (filter: PoolFilter) => void
}

/** Every caption of one photograph with its source and its status. A person can change each status. */
export function PoolPage({ project: { slug }, imageId, filter, onFilter }: PoolPageProps) {
  const image = useImage(slug, imageId).data
  const summary = usePoolSummary(slug, imageId).data
  const decisions = useDecisions(slug)
  const [isAdding, setAdding] = useState(false)
  const [dropping, setDropping] = useState<Candidate | null>(null)
  const search = useRef<HTMLInputElement>(null)
  const open = useOpen(slug, imageId, filter)
  usePageTitle(image ? t.captionsOf({ image: nameOf(image) }) : t.captions)
  useActions(poolActions, {
    'pool.add': () => setAdding(true),
    'pool.filter': () => search.current?.focus(),
    'pool.undo': { when: () => Boolean(decisions.said?.back), perform: decisions.undo },
    'pool.nextImage': { when: () => Boolean(summary?.next), perform: () => open.pool(summary?.next) },
    'pool.previousImage': { when: () => Boolean(summary?.previous), perform: () => open.pool(summary?.previous) },
    'pool.close': open.photograph,
  })
  return (
    <MatPage className={styles.page} mat={<Photograph image={image} summary={summary} />}>
      <PanelHeader
        title={image ? nameOf(image) : t.captions}
        lead={summary && leadOf(summary)}
        action={<ActionButton id="pool.add" icon="plus" size="small" showsKey preventFocusOnPress={false} />}
      >
        <Retrieved slug={slug} imageId={imageId} />
      </PanelHeader>
      <PoolFilters filter={filter} summary={summary} search={search} onChange={onFilter} />
      <PoolBody
        key={imageId}
        slug={slug}
        imageId={imageId}
        filter={filter}
        onRestore={decisions.restore}
        onDrop={setDropping}
      />
      {isAdding && <AddDialog slug={slug} imageId={imageId} onClose={() => setAdding(false)} />}
      {dropping && <DropDialog candidate={dropping} onDrop={decisions.drop} onClose={() => setDropping(null)} />}
      <SaidBar decisions={decisions} undo="pool.undo" />
    </MatPage>
  )
}

const nameOf = (image: ImageDetail): string => image.title || image.key

function leadOf({ sources }: PoolSummary): string {
  const sum = (of: 'n_candidates' | 'n_kept' | 'n_dropped' | 'n_new') =>
    sources.reduce((total, source) => total + source[of], 0)
  if (sum('n_candidates') === 0) return t.noCaptions
  const fresh = sum('n_new') > 0 ? t.nNotCleaned({ sum: formatCount(sum('n_new')) }) : ''
  const fates = t.fates({ sum: formatCount(sum('n_kept')), sum2: formatCount(sum('n_dropped')), fresh })
  return t.captionsN({ sum: sum('n_candidates'), fates })
}

/** How many pictures of the corpora lend it captions and how near they are, or why there are none. */
function Retrieved({ slug, imageId }: { slug: string; imageId: number }) {
  const pool = useRetrieved(slug, imageId).data
  if (!pool) return null
  if (pool.reason) {
    const why = inOurLanguage(`pool_${pool.reason_code}`, null, pool.reason)
    return <p className={styles.retrieved}>{why}</p>
  }
  const outside = pool.n_kept_out > 0 ? t.keptOutAsItself({ nKeptOut: formatCount(pool.n_kept_out) }) : ''
  const mean =
    pool.mean_similarity === null ? '' : t.meanSimilarity({ meanSimilarity: formatDecimal(pool.mean_similarity, 3) })
  return <p className={styles.retrieved}>{t.nearPictures({ nPictures: pool.n_pictures, mean, outside })}</p>
}

function useOpen(slug: string, imageId: number, filter: PoolFilter) {
  const navigate = useNavigate()
  return {
    pool: (id: number | null | undefined) => {
      if (!id) return
      const params = { slug, imageId: String(id) }
      void navigate({
        to: '/projects/$slug/images/$imageId/captions',
        params,
        search: { ...without(filter, 'text') },
        replace: true,
      })
    },
    photograph: () =>
      void navigate({ to: '/projects/$slug/images/$imageId', params: { slug, imageId: String(imageId) } }),
  }
}

function Photograph({ image, summary }: { image: ImageDetail | undefined; summary: PoolSummary | undefined }) {
  const tools = (
    <>
      <ActionIconButton id="pool.previousImage" icon="chevronLeft" isDisabled={!summary?.previous} />
      <ActionIconButton id="pool.nextImage" icon="chevronRight" isDisabled={!summary?.next} />
      <ActionIconButton id="pool.close" icon="cross" />
    </>
  )
  return (
    <Mat tools={tools}>
      {image && (
        <img
          key={image.id}
          src={image.thumbnail.large.url}
          alt={nameOf(image)}
          width={image.thumbnail.large.width}
          height={image.thumbnail.large.height}
        />
      )}
    </Mat>
  )
}

interface PoolBodyProps {
  slug: string
  imageId: number
  filter: PoolFilter
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

function PoolBody({ slug, imageId, filter, onRestore, onDrop }: PoolBodyProps) {
  const { data, error, isPending, refetch, fetchNextPage, ...pages } = usePool(slug, imageId, filter)
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const decided = useDecidedCandidate(slug)
  if (isPending) return <Skeleton label={t.theCaptions} rows={6} />
  if (!data) {
    return <ErrorState error={error} title={t.captionsNotShown} onRetry={() => void refetch()} />
  }
  const candidates = data.pages.flatMap((page) => page.results.map((row) => decided(row, page.asked_at)))
  if (candidates.length === 0) return <NoCaptions isNarrowed={isNarrowed(filter)} />
  return (
    <PoolList
      slug={slug}
      imageId={imageId}
      candidates={candidates}
      next={{ has: pages.hasNextPage, isFetching: pages.isFetchingNextPage, hasFailed: pages.isFetchNextPageError }}
      onMore={more}
      onRestore={onRestore}
      onDrop={onDrop}
    />
  )
}

function NoCaptions({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) return <EmptyState title={t.noCaptionFits}>{t.askForLess}</EmptyState>
  return <EmptyState title={t.noCaptions}>{t.poolLater}</EmptyState>
}
