import { Button } from '@/components/ui/button'
import { DrawnExample } from '@/components/ui/drawn-example'
import { EntryFoot, EntryHeader, EntryPage, EntryPoints, EntryWords } from '@/components/ui/entry-page'
import { Markdown } from '@/components/ui/markdown'
import { Notice } from '@/components/ui/notice'
import { asApiError } from '@/lib/api/api-error'
import type { SurveyDoor } from '@/lib/api/served'
import { t } from '@/messages/survey-answering'
import { useAgree } from '../api/agree'
import styles from './consent-page.module.css'
import { ClosedSurvey } from './survey-end'

const minutesEach = 8 / 60

/** What the survey is, how long it takes and what it stores, before a person agrees to take part. */
export function ConsentPage({ token, door }: { token: string; door: SurveyDoor }) {
  const { mutate, isPending, error } = useAgree(token)
  if (error && !asApiError(error).isPassing) return <ClosedSurvey error={error} />
  return (
    <EntryPage className={styles.page}>
      <EntryHeader
        title={door.title}
        lead={t.runBy({ runBy: door.run_by })}
        minutes={door.n_pairs * minutesEach}
        terms={[
          { icon: 'image', words: t.nImages({ nPairs: door.n_pairs }) },
          { icon: 'person', words: t.noAccount },
        ]}
      />
      <DrawnExample title={t.example} />
      <EntryWords label={t.beforeYouAgree}>
        <p>{t.whatComes({ nPairs: door.n_pairs })}</p>
        <div>
          <Markdown>{door.consent}</Markdown>
        </div>
        <EntryPoints
          title={t.yourData}
          points={[
            { icon: 'check', words: t.isStored },
            { icon: 'cross', words: t.isNotStored },
            { icon: 'undo', words: t.continueLater },
          ]}
        />
      </EntryWords>
      <EntryFoot>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <Button variant="primary" size="large" isPending={isPending} onPress={() => mutate()}>
          {t.agree}
        </Button>
      </EntryFoot>
    </EntryPage>
  )
}
