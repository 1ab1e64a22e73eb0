import { useNavigate, useParams } from '@tanstack/react-router'
import { SurveyPage } from '@/features/surveys/components/survey-page'
import { SurveysPage } from '@/features/surveys/components/surveys-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function SurveysRoute() {
  const { slug } = useParams({ from: '/signed-in/projects/$slug/surveys' })
  const navigate = useNavigate()
  const open = (id: number) =>
    void navigate({ to: '/projects/$slug/surveys/$surveyId', params: { slug, surveyId: String(id) } })
  return (
    <WithProject roles={reviewers}>
      {(project) => <SurveysPage key={project.slug} project={project} onOpen={open} />}
    </WithProject>
  )
}

export function SurveyRoute() {
  const { slug, surveyId } = useParams({ from: '/signed-in/projects/$slug/surveys/$surveyId' })
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <SurveyPage
          key={surveyId}
          project={project}
          id={Number(surveyId)}
          onGone={() => void navigate({ to: '/projects/$slug/surveys', params: { slug } })}
        />
      )}
    </WithProject>
  )
}
