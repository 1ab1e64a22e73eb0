import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { plural } from '@/lib/format/numbers'
import { useImages } from '../api/get-images'
import { Gallery } from './gallery'

export function GalleryPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useImages(project.slug)
  const images = data?.pages.flatMap((page) => page.results) ?? []
  const total = Math.max(project.counts.images, images.length)
  return (
    <Page isWide>
      <PageHeader title="Gallery" lead={images.length > 0 && plural(total, 'photograph')} />
      {isPending && <Skeleton label="the photographs" rows={12} shape="tile" />}
      {error && !data && (
        <ErrorState error={error} title="The photographs could not be shown" onRetry={() => void refetch()} />
      )}
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
      title="No photographs yet"
      icon="image"
      action="Import photographs"
      forCurators="Every photograph of the project will be shown here, with its licence and its author. The first stage of the walk imports them."
      forOthers="Every photograph of the project will be shown here once a curator has imported them."
    />
  )
}
