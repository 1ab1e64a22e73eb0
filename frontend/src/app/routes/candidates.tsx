import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FunnelPage } from '@/features/candidates/components/funnel-page'
import { PoolPage } from '@/features/candidates/components/pool-page'
import { type PoolFilter, readFilter } from '@/features/candidates/state/pool-filter'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function PoolRoute() {
  const from = '/signed-in/projects/$slug/images/$imageId/captions'
  const { imageId } = useParams({ from })
  const filter = readFilter(useSearch({ from }))
  const navigate = useNavigate()
  const show = (search: PoolFilter) => void navigate({ to: '.', search: { ...search }, replace: true })
  return (
    <WithProject roles={reviewers}>
      {(project) => <PoolPage project={project} imageId={Number(imageId)} filter={filter} onFilter={show} />}
    </WithProject>
  )
}

export function FunnelRoute() {
  const { rule = '', source = '' } = readFilter(useSearch({ from: '/signed-in/projects/$slug/cleaning' }))
  return (
    <WithProject roles={reviewers}>
      {(project) => <FunnelPage key={project.slug} project={project} search={{ rule, source }} />}
    </WithProject>
  )
}
