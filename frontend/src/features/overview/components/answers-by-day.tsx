import { totalOf } from '@/components/answer-days/answer-days'
import { AnswerDaysChart } from '@/components/answer-days/answer-days-chart'
import { Later } from '@/components/burn-down/later'
import type { Overview } from '@/lib/api/served'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import { LabelSplit } from './label-split'

interface Props {
  overview: Overview
  words: Words
}

/** How many answers came on each day, by label. */
export function AnswersByDay({ overview: { days, today, labels: counts }, words }: Props) {
  if (days.every((day) => totalOf(day.labels) === 0)) return <Later title={t.answersByDay}>{t.noPeopleHint}</Later>
  return (
    <AnswerDaysChart
      title={t.answersByDay}
      days={days}
      today={today}
      labelWords={words.labels}
      how={t.howAnswersByDay}
      lead={<LabelSplit counts={counts} words={words} />}
    />
  )
}
