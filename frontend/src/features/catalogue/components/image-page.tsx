import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ActionButton, ActionIconButton } from '@/components/ui/action-button'
import { Mat } from '@/components/ui/mat'
import { MatPage } from '@/components/ui/mat-page'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { CatalogueImage, ImageDetail } from '@/lib/api/served'
import { imageQuery, useImage } from '@/lib/images/get-image'
import { useImages } from '@/lib/images/get-images'
import { isReviewer } from '@/lib/project/roles'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/catalogue'
import { imageActions } from '../actions'
import { lastFilter } from '../state/gallery-filter'
import { rememberSeen } from '../state/last-seen'
import { nameOf, titleOf } from '../state/picture-words'
import { CaptionPool } from './caption-pool'
import { ImageFacts } from './image-facts'
import styles from './image-page.module.css'

export function ImagePage({ project, imageId }: { project: Project; imageId: number }) {
  const { data, error, isPending, refetch } = useImage(project.slug, imageId)
  const { shown, previous, next } = useNeighbours(project.slug, imageId)
  const image: CatalogueImage | undefined = data ?? shown
  useEffect(() => rememberSeen(project.slug, imageId), [project.slug, imageId])
  usePrefetch(project.slug, next)
  usePrefetch(project.slug, previous)
  usePageTitle(image ? titleOf(image) : t.photograph)
  useImageActions(project.slug, imageId, previous, next)
  return (
    <MatPage
      className={styles.page}
      mat={
        <Mat tools={<Tools hasPrevious={Boolean(previous)} hasNext={Boolean(next)} />}>
          {image && <Picture key={image.id} image={image} />}
        </Mat>
      }
    >
      {isPending && !image && <Skeleton label={t.thePhotograph} />}
      {error && !data && <ErrorState error={error} title={t.photographNotShown} onRetry={() => void refetch()} />}
      {image && <ImageFacts image={image} detail={data} />}
      {data && isReviewer(project.role) && (
        <>
          <ActionButton id="image.pool" size="small" showsKey />
          <CaptionPool slug={project.slug} imageId={imageId} />
        </>
      )}
    </MatPage>
  )
}

function Tools({ hasPrevious, hasNext }: { hasPrevious: boolean; hasNext: boolean }) {
  return (
    <>
      <ActionIconButton id="image.previous" icon="chevronLeft" isDisabled={!hasPrevious} />
      <ActionIconButton id="image.next" icon="chevronRight" isDisabled={!hasNext} />
      <ActionIconButton id="image.close" icon="cross" />
    </>
  )
}

function Picture({ image }: { image: CatalogueImage }) {
  const { small, large } = image.thumbnail
  return (
    <img
      src={large.url}
      alt={nameOf(image)}
      width={large.width}
      height={large.height}
      fetchPriority="high"
      style={{ backgroundImage: `url("${encodeURI(small.url)}")` }}
    />
  )
}

/** The photographs before and after, as far as the gallery has been read. */
function useNeighbours(slug: string, imageId: number) {
  const { data, hasNextPage, isFetching, fetchNextPage } = useImages(slug, lastFilter(slug))
  const images = data?.pages.flatMap((page) => page.results) ?? []
  const index = images.findIndex((image) => image.id === imageId)
  const isLast = index >= 0 && index === images.length - 1
  useEffect(() => {
    if (isLast && hasNextPage && !isFetching) void fetchNextPage()
  }, [isLast, hasNextPage, isFetching, fetchNextPage])
  if (index < 0) return { shown: undefined, previous: undefined, next: undefined }
  return { shown: images[index], previous: images[index - 1], next: images[index + 1] }
}

/** Has the next photograph read and decoded before it is asked for. */
function usePrefetch(slug: string, image: CatalogueImage | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!image) return
    void queryClient.query(imageQuery(slug, image.id)).catch(() => undefined)
    new Image().src = image.thumbnail.large.url
  }, [queryClient, slug, image])
}

function useImageActions(
  slug: string,
  imageId: number,
  previous: CatalogueImage | undefined,
  next: CatalogueImage | undefined,
): void {
  const navigate = useNavigate()
  const open = (image: ImageDetail | CatalogueImage | undefined) => {
    if (!image) return
    void navigate({
      to: '/projects/$slug/images/$imageId',
      params: { slug, imageId: String(image.id) },
      replace: true,
    })
  }
  useActions(imageActions, {
    'image.next': { when: () => next !== undefined, perform: () => open(next) },
    'image.previous': { when: () => previous !== undefined, perform: () => open(previous) },
    'image.pool': () =>
      void navigate({ to: '/projects/$slug/images/$imageId/captions', params: { slug, imageId: String(imageId) } }),
    'image.close': () =>
      void navigate({ to: '/projects/$slug/images', params: { slug }, search: lastFilter(slug), resetScroll: false }),
  })
}
