import { Skeleton } from '@/components/ui/skeleton'
import { t } from '@/messages/survey-answering'
import { useDoor } from '../api/get-door'
import { AnsweringPage } from './answering-page'
import { ConsentPage } from './consent-page'
import { ClosedSurvey, Thanks } from './survey-end'

/** Where the link of a survey leads: the consent text, then the pairs, then thanks. No account is needed. */
export function SurveyDoorPage({ token }: { token: string }) {
  const { data: door, error, refetch } = useDoor(token)
  if (error) return <ClosedSurvey error={error} onRetry={() => void refetch()} />
  if (!door) return <Skeleton label={t.theSurvey} rows={3} />
  if (door.stage === 'finished') {
    return (
      <Thanks title={door.title}>
        <p>{t.finishedAlready}</p>
      </Thanks>
    )
  }
  if (door.stage === 'answering') return <AnsweringPage token={token} door={door} />
  return <ConsentPage token={token} door={door} />
}
