import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AnswerDaysChart } from '@/components/answer-days/answer-days-chart'
import { Grid, Span } from '@/components/ui/grid'
import { labelLooksOf } from '@/components/ui/label-looks'
import type { Label, Project } from '@/lib/api/contract'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/home'
import styles from './one-project.module.css'

export interface Waiting {
  n: number
  words: string
  to:
    | '/projects/$slug/annotate'
    | '/projects/$slug/inbox'
    | '/projects/$slug/past-work'
    | '/projects/$slug/review'
    | '/projects/$slug/feedback'
    | '/projects/$slug/people'
    | '/projects/$slug/releases'
  search?: Record<string, string>
}

interface HomePanesProps {
  slug: string
  chart: ReactNode
  waiting: readonly Waiting[]
  children: ReactNode
}

export function HomePanes({ slug, chart, waiting, children }: HomePanesProps) {
  return (
    <div className={styles.home}>
      <Grid>
        <Span n={8}>{chart}</Span>
        <Span n={4}>
          <h2 className={styles.title}>{t.waiting}</h2>
          <ul className={styles.waiting}>
            {waiting.map(({ n, words, to, search }) => (
              <li key={words}>
                <Link to={to} params={{ slug }} {...(search && { search })} className={styles.way}>
                  <span>{words}</span>
                  <b className={n > 0 ? styles.some : undefined}>{formatCount(n)}</b>
                </Link>
              </li>
            ))}
          </ul>
        </Span>
      </Grid>
      {children}
    </div>
  )
}

interface DaysProps {
  project: Project
  title: string
  days: readonly { day: string; labels: Readonly<Record<Label, number>> }[]
  today: string
  how: string
}

const nDays = 14

/** The answers of the last two weeks. */
export function LastDays({ project, title, days, today, how }: DaysProps) {
  const shown = days.slice(-nDays)
  if (shown.every(({ labels }) => labels.good + labels.bad + labels.unsure === 0)) {
    return (
      <>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.none}>{t.noneYet}</p>
      </>
    )
  }
  const looks = project.direction === 'images_of_query' ? ofImages : ofCaptions
  return <AnswerDaysChart title={title} days={shown} today={today} labelWords={looks} how={how} height={180} />
}

const wordsOf = (direction: Project['direction']): Readonly<Record<Label, string>> => {
  const { good, bad, unsure } = labelLooksOf(direction)
  return { good: good.word, bad: bad.word, unsure: unsure.word }
}
const ofCaptions = wordsOf('captions_of_image')
const ofImages = wordsOf('images_of_query')
