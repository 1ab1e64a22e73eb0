import { useParams } from '@tanstack/react-router'
import { GalleryPage } from '@/features/catalogue/components/gallery-page'
import { ImagePage } from '@/features/catalogue/components/image-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function GalleryRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <GalleryPage key={project.slug} project={project} />}</WithProject>
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
