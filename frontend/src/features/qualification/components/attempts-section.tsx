import { Badge } from '@/components/ui/badge'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { SettingsSection } from '@/components/ui/settings-section'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { QuizAttemptRow } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import { useAttempts } from '../api/get-attempts'

const columns: readonly TableColumn<QuizAttemptRow>[] = [
  { id: 'who', title: t.who, cell: (row) => row.display_name || row.username },
  { id: 'number', title: t.attempt, isNumber: true, onPhone: 'under', cell: (row) => row.number },
  {
    id: 'right',
    title: t.rightAnswers,
    isNumber: true,
    onPhone: 'under',
    cell: (row) => (row.n_right === null ? '–' : t.rightOf({ right: row.n_right, n: row.n_questions })),
  },
  { id: 'outcome', title: t.outcome, onPhone: 'beside', cell: (row) => <Outcome attempt={row} /> },
  { id: 'begun', title: t.begun, onPhone: 'under', cell: (row) => <RelativeTime at={row.begun_at} /> },
]

/** How newcomers fared at the quiz: a question that most fail says something of the question, too. */
export function AttemptsSection({ slug }: { slug: string }) {
  const { data, error, isPending, refetch, ...pages } = useAttempts(slug)
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <SettingsSection title={t.quizAttempts} note={t.quizAttemptsNote}>
      {isPending && <Skeleton label={t.quizAttempts} rows={2} />}
      {error && <ErrorState error={error} title={t.attemptsNotShown} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <p>{t.noAttempts}</p>}
      {rows.length > 0 && (
        <Table
          label={t.quizAttempts}
          columns={columns}
          rows={rows}
          rowId={({ username, number }) => `${username} ${number}`}
        />
      )}
      <MoreButton {...pages}>{t.moreAttempts}</MoreButton>
    </SettingsSection>
  )
}

function Outcome({ attempt }: { attempt: QuizAttemptRow }) {
  if (attempt.is_passed === null || attempt.is_excused) return <Badge>{attempt.ended_at ? t.isVoid : t.isOpen}</Badge>
  return attempt.is_passed ? (
    <Badge tone="done" icon="check">
      {t.passed}
    </Badge>
  ) : (
    <Badge tone="bad" icon="cross">
      {t.failed}
    </Badge>
  )
}
