import { useNavigate, useSearch } from '@tanstack/react-router'
import { QualityPage, type QualityTab, qualityTabs } from '@/features/quality/components/quality-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?tab=policy` opens a tab, so that it can be sent as a link. */
export function QualityRoute() {
  const { tab } = useSearch({ from: '/signed-in/projects/$slug/quality' })
  const navigate = useNavigate()
  const show = (chosen: QualityTab) =>
    void navigate({ to: '.', search: { tab: chosen }, replace: true, resetScroll: false })
  const open = qualityTabs.find((each) => each === tab) ?? 'agreement'
  return (
    <WithProject roles={reviewers}>
      {(project) => <QualityPage key={project.slug} project={project} tab={open} onTab={show} />}
    </WithProject>
  )
}
