import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { useImages } from '@/lib/images/get-images'
import { t } from '@/messages/catalogue'
import { Gallery } from './gallery'

export function GalleryPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useImages(project.slug)
  const images = data?.pages.flatMap((page) => page.results) ?? []
  const total = Math.max(project.counts.images, images.length)
  return (
    <Page isWide>
      <PageHeader title={t.gallery} lead={images.length > 0 && t.photographsN({ total })} />
      {isPending && <Skeleton label={t.thePhotographs} rows={12} shape="tile" />}
      {error && !data && <ErrorState error={error} title={t.photographsNotShown} onRetry={() => void refetch()} />}
      {data && images.length === 0 && <NoImages project={project} />}
      {images.length > 0 && (
        <Gallery
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
