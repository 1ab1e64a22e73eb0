import { useParams } from '@tanstack/react-router'
import { SurveyDoorPage } from '@/features/survey-answering/components/survey-door-page'

export function SurveyRoute() {
  const { token } = useParams({ from: '/s/$token' })
  return <SurveyDoorPage key={token} token={token} />
}
