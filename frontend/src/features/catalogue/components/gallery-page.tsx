import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { type ImageFilter, useImages } from '@/lib/images/get-images'
import { t } from '@/messages/catalogue'
import { rememberFilter } from '../state/gallery-filter'
import { Gallery } from './gallery'
import { GalleryFilters } from './gallery-filters'

export interface GalleryPageProps {
  project: Project
  filter?: ImageFilter
  onFilter?: (filter: ImageFilter) => void
}

const none: ImageFilter = {}

export function GalleryPage({ project, filter = none, onFilter }: GalleryPageProps) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useImages(project.slug, filter)
  useEffect(() => rememberFilter(project.slug, filter), [project.slug, filter])
  const images = data?.pages.flatMap((page) => page.results) ?? []
  const isNarrowed = Boolean(filter.q) || Boolean(filter.state) || Boolean(filter.images)
  const total = isNarrowed ? (hasNextPage ? -1 : images.length) : Math.max(project.counts.images, images.length)
  const lead = total < 0 ? t.moreThanPhotographs({ n: images.length }) : t.photographsN({ total })
  return (
    <Page isWide>
      <PageHeader title={t.gallery} lead={images.length > 0 && lead} />
      {onFilter && project.counts.images > 0 && (
        <GalleryFilters
          filter={filter}
          hasStates={project.direction === 'captions_of_image'}
          onChange={onFilter}
        />
      )}
      {isPending && <Skeleton label={t.thePhotographs} rows={12} shape="tile" />}
      {error && !data && <ErrorState error={error} title={t.photographsNotShown} onRetry={() => void refetch()} />}
      {data && images.length === 0 && !isNarrowed && <NoImages project={project} />}
      {data && images.length === 0 && isNarrowed && (
        <EmptyState title={t.nothingFound} icon="search" action={<Button onPress={() => onFilter?.({})}>{t.showAllImages}</Button>}>
          {t.nothingFoundHint}
        </EmptyState>
      )}
      {images.length > 0 && (
        <Gallery
          key={JSON.stringify([filter.q, filter.state, filter.sort, filter.images])}
          project={project}
          images={images}
          total={total}
          next={{ has: hasNextPage, isFetching: isFetchingNextPage, hasFailed: isFetchNextPageError }}
          onMore={() => void fetchNextPage()}
        />
      )}
    </Page>
  )
}

function NoImages({ project }: { project: Project }) {
  return (
    <NothingYet
      project={project}
      title={t.noPhotographs}
      icon="image"
      action={t.importPhotographs}
      forCurators={t.galleryForCurators}
      forOthers={t.galleryForOthers}
    />
  )
}
