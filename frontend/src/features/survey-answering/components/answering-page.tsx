import { useRef } from 'react'
import { Photograph, type PhotographHandle } from '@/components/photograph/photograph'
import { usePhotoHandlers } from '@/components/photograph/use-photo-handlers'
import { ActionButton } from '@/components/ui/action-button'
import { AnswerKey, AnswerRow } from '@/components/ui/answer-key'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import frame from '@/components/ui/judging-frame.module.css'
import { Notice } from '@/components/ui/notice'
import { ProgressBar } from '@/components/ui/progress-bar'
import { useActions } from '@/lib/actions/action-context'
import type { SurveyDoor, SurveyItem } from '@/lib/api/served'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/survey-answering'
import { surveyAnsweringActions } from '../actions'
import { type Answering, type SurveyLabel, useAnswering } from '../state/use-answering'
import styles from './answering-page.module.css'
import { ClosedSurvey, Thanks } from './survey-end'

const labels: readonly SurveyLabel[] = ['good', 'bad']

/** One pair after the other, then thanks. */
export function AnsweringPage({ token, door }: { token: string; door: SurveyDoor }) {
  const answering = useAnswering(token, door)
  const { items, at, refusal, waiting } = answering
  const item = items[at]
  if (refusal) return <ClosedSurvey error={refusal} />
  if (item) return <OnePair title={door.title} item={item} answering={answering} />
  return (
    <Thanks title={door.title}>
      <p>{waiting > 0 ? t.sending : t.allAnswered}</p>
      <NotSent answering={answering} />
      <Button variant="quiet" icon="undo" onPress={answering.back}>
        {t.correctLast}
      </Button>
    </Thanks>
  )
}

interface OnePairProps {
  title: string
  item: SurveyItem
  answering: Answering
}

function OnePair({ title, item, answering }: OnePairProps) {
  usePageTitle(title)
  const photograph = useRef<PhotographHandle>(null)
  const { items, at, given, answer, back } = answering
  useActions(surveyAnsweringActions, {
    'survey.good': () => answer('good'),
    'survey.bad': () => answer('bad'),
    'survey.back': { when: () => at > 0, perform: back },
    ...usePhotoHandlers(photograph),
  })
  return (
    <main className={cx(frame.frame, styles.frame)}>
      <h1 className="visually-hidden">{title}</h1>
      <div className={frame.progress}>
        <ProgressBar label={t.answered} value={at} max={items.length} isThin />
      </div>
      <Photograph key={item.number} image={item.image} handle={photograph} />
      <section className={styles.panel} aria-label={t.pair}>
        <p className={styles.place}>{t.place({ number: at + 1, all: items.length })}</p>
        <div className={styles.words}>
          <p className={styles.question}>{t.question}</p>
          <p className={frame.caption} dir="auto" aria-live="polite">
            {item.text}
          </p>
        </div>
        <NotSent answering={answering} />
        <div className={styles.keys}>
          <AnswerRow label={t.question}>
            {labels.map((label) => (
              <AnswerKey
                key={label}
                id={`survey.${label}`}
                label={label}
                isChosen={item.answer === label}
                answered={given.label === label ? given.n : 0}
              />
            ))}
          </AnswerRow>
          <ActionButton id="survey.back" variant="quiet" icon="undo" showsKey isDisabled={at === 0} />
        </div>
      </section>
    </main>
  )
}

function NotSent({ answering: { isFailing, waiting } }: { answering: Answering }) {
  return isFailing ? <Notice>{t.notSent({ waiting })}</Notice> : null
}
