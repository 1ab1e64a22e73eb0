import { useParams } from '@tanstack/react-router'
import { AnnotatePage } from '@/features/annotate/components/annotate-page'
import { useProject } from '@/lib/project/get-project'
import { Feedback } from './feedback'

export function AnnotateRoute() {
  const { slug } = useParams({ from: '/signed-in/projects/$slug/annotate' })
  const project = useProject(slug).data
  if (!project) return null
  return (
    <>
      <AnnotatePage key={slug} project={project} />
      <Feedback slug={slug} />
    </>
  )
}
