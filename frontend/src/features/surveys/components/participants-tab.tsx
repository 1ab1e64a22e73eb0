import { Badge, type Tone } from '@/components/ui/badge'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Survey, SurveyParticipant } from '@/lib/api/served'
import { formatDuration } from '@/lib/format/duration'
import { formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/surveys'
import { useParticipants } from '../api/surveys'
import styles from './surveys.module.css'

const looks: Record<SurveyParticipant['standing'], { tone: Tone; word: string }> = {
  counted: { tone: 'done', word: t.counted },
  unfinished: { tone: 'neutral', word: t.unfinished },
  excluded: { tone: 'failed', word: t.excluded },
}

/** How far each participant came, and why their answers count or not. They have numbers, not names. */
export function ParticipantsTab({ slug, survey }: { slug: string; survey: Survey }) {
  const { data, error, isPending, refetch, ...pages } = useParticipants(slug, survey.id)
  if (isPending) return <Skeleton label={t.theParticipants} rows={6} />
  if (error) return <ErrorState error={error} title={t.participantsNotShown} onRetry={() => void refetch()} />
  return (
    <div className={styles.parts}>
      <p className={styles.note}>
        {t.ruleInWords({ share: formatWholeShare(survey.fail_rate), least: survey.min_graded })}
      </p>
      <Table
        label={t.participants}
        columns={columns}
        rows={data.pages.flatMap((page) => page.results)}
        rowId={({ number }) => String(number)}
        empty={t.nobodyYet}
      />
      <MoreButton {...pages}>{t.moreParticipants}</MoreButton>
    </div>
  )
}

const columns: readonly TableColumn<SurveyParticipant>[] = [
  { id: 'number', title: t.participant, isRowHeader: true, cell: ({ number }) => t.participantN({ number }) },
  {
    id: 'standing',
    title: t.standing,
    onPhone: 'beside',
    cell: ({ standing }) => <Badge tone={looks[standing].tone}>{looks[standing].word}</Badge>,
  },
  {
    id: 'answered',
    title: t.answered,
    isNumber: true,
    onPhone: 'under',
    cell: ({ n_answered, n_dealt }) => t.nOf({ n: n_answered, all: n_dealt }),
  },
  { id: 'time', title: t.time, isNumber: true, onPhone: 'under', cell: ({ seconds }) => formatDuration(seconds) },
  {
    id: 'distractors',
    title: t.distractorsRight,
    isNumber: true,
    onPhone: 'under',
    cell: ({ n_right, n_graded }) => t.nOf({ n: n_right, all: n_graded }),
  },
  {
    id: 'started',
    title: t.started,
    onPhone: 'under',
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
]
