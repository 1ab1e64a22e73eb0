import { Button } from '@/components/ui/button'
import { Markdown } from '@/components/ui/markdown'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { asApiError } from '@/lib/api/api-error'
import type { SurveyDoor } from '@/lib/api/served'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/survey-answering'
import { useAgree } from '../api/agree'
import { useDoor } from '../api/get-door'
import { AnsweringPage } from './answering-page'
import styles from './survey-door-page.module.css'
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
  return <Consent token={token} door={door} />
}

function Consent({ token, door }: { token: string; door: SurveyDoor }) {
  usePageTitle(door.title)
  const { mutate, isPending, error } = useAgree(token)
  if (error && !asApiError(error).isPassing) return <ClosedSurvey error={error} />
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{door.title}</h1>
      <p className={styles.lead}>{t.runBy({ runBy: door.run_by })}</p>
      <div className={styles.consent}>
        <Markdown>{door.consent}</Markdown>
      </div>
      <p>{t.whatComes({ nPairs: door.n_pairs })}</p>
      <p className={styles.lead}>{t.whatIsKept}</p>
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <Button variant="primary" size="large" isPending={isPending} onPress={() => mutate()}>
        {t.agree}
      </Button>
    </main>
  )
}
