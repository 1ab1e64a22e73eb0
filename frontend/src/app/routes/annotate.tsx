import { useParams } from '@tanstack/react-router'
import { LabelLooksContext, labelLooksOf } from '@/components/ui/label-looks'
import { AnnotatePage } from '@/features/annotate/components/annotate-page'
import { useProject } from '@/lib/project/get-project'
import { Feedback } from './feedback'

export function AnnotateRoute() {
  const { slug } = useParams({ from: '/signed-in/projects/$slug/annotate' })
  const project = useProject(slug).data
  if (!project) return null
  return (
    <LabelLooksContext value={labelLooksOf(project.direction)}>
      <AnnotatePage key={slug} project={project} />
      <Feedback slug={slug} />
    </LabelLooksContext>
  )
}
