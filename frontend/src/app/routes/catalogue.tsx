import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { GalleryPage } from '@/features/catalogue/components/gallery-page'
import { ImagePage } from '@/features/catalogue/components/image-page'
import { readFilter } from '@/features/catalogue/state/gallery-filter'
import type { ImageFilter } from '@/lib/images/get-images'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?q=fog&state=disputed&sort=name` narrows and orders the images, so that a list can be sent as a link. */
export function GalleryRoute() {
  const search: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/images' })
  const navigate = useNavigate()
  const { q, state, sort, images } = search
  const filter = useMemo(() => readFilter({ q, state, sort, images }), [q, state, sort, images])
  const show = (to: ImageFilter) => void navigate({ to: '.', search: readFilter(to), replace: true, resetScroll: false })
  return (
    <WithProject roles={reviewers}>
      {(project) => <GalleryPage key={project.slug} project={project} filter={filter} onFilter={show} />}
    </WithProject>
  )
}

export function ImageRoute() {
  const { imageId } = useParams({ from: '/signed-in/projects/$slug/images/$imageId' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <ImagePage project={project} imageId={Number(imageId)} />}
    </WithProject>
  )
}
