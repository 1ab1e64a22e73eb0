import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { DownloadLink } from '@/components/ui/download-link'
import { FilterSelect } from '@/components/ui/filter-select'
import { useLabelLooks } from '@/components/ui/label-looks'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { HistoryEntry } from '@/lib/api/served'
import { t } from '@/messages/history'
import { historyFile, type HistoryKind, useHistory, useHistoryEntry } from '../api/get-history'
import { actionNames, changesOf, kindNames, type RuleInWords } from '../state/history-words'
import styles from './history-page.module.css'

interface EntryProps {
  slug: string
  ruleInWords: RuleInWords
}

interface HistoryPageProps extends EntryProps {
  /** Only changes of this kind. */
  kind: HistoryKind | null
  onKind: (kind: HistoryKind | null) => void
}

/** Who changed what in the project, and when, newest first. */
export function HistoryPage({ slug, ruleInWords, kind, onKind }: HistoryPageProps) {
  return (
    <Page isWide>
      <PageHeader
        title={t.history}
        lead={t.lead}
        actions={<DownloadLink href={historyFile(slug, kind)}>{t.download}</DownloadLink>}
      />
      <div className={styles.filter}>
        <FilterSelect<HistoryKind | ''>
          label={t.kind}
          all=""
          choices={kindChoices}
          value={kind ?? ''}
          onChange={(value) => onKind(value || null)}
        />
      </div>
      <Entries slug={slug} kind={kind} ruleInWords={ruleInWords} />
    </Page>
  )
}

export const historyKinds = Object.keys(kindNames) as HistoryKind[]

const kindChoices: readonly { value: HistoryKind | ''; label: string }[] = [
  { value: '', label: t.allKinds },
  ...historyKinds.map((value) => ({ value, label: kindNames[value] })),
]

function Entries({ slug, kind, ruleInWords }: EntryProps & Pick<HistoryPageProps, 'kind'>) {
  const { data, error, isPending, refetch, ...pages } = useHistory(slug, kind)
  if (isPending) return <Skeleton label={t.history} />
  if (error) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const entries = data.pages.flatMap((page) => page.results)
  if (entries.length === 0) {
    return kind ? <p>{t.noneFits}</p> : <EmptyState title={t.nothing}>{t.nothingHint}</EmptyState>
  }
  return (
    <>
      <Table
        label={t.history}
        columns={columnsOf(slug, ruleInWords)}
        rows={entries}
        rowId={(entry) => String(entry.id)}
      />
      <div className={styles.more}>
        <MoreButton {...pages}>{t.more}</MoreButton>
      </div>
    </>
  )
}

const columnsOf = (slug: string, ruleInWords: RuleInWords): TableColumn<HistoryEntry>[] => [
  {
    id: 'what',
    title: t.what,
    isRowHeader: true,
    cell: (entry) => (
      <div className={styles.what}>
        <span>
          <What slug={slug} entry={entry} />
        </span>
        <Changes slug={slug} entry={entry} ruleInWords={ruleInWords} />
      </div>
    ),
  },
  {
    id: 'who',
    title: t.who,
    onPhone: 'under',
    cell: ({ actor }) => <bdi>{actor ? actor.display_name : t.theServer}</bdi>,
  },
  { id: 'when', title: t.when, onPhone: 'beside', cell: (entry) => <RelativeTime at={entry.created_at} /> },
]

/** The change, and the other person whom it is about. */
function What({ slug, entry: { action, kind, actor, subject } }: { slug: string; entry: HistoryEntry }) {
  const name = subject && <bdi>{subject.display_name}</bdi>
  return (
    <>
      {actionNames[action]}
      {subject && subject.id !== actor?.id && (
        <>
          {': '}
          {kind === 'annotators' ? (
            <Link
              to="/projects/$slug/quality/annotators/$annotatorId"
              params={{ slug, annotatorId: String(subject.id) }}
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </>
      )}
    </>
  )
}

function Changes({ slug, entry, ruleInWords }: EntryProps & { entry: HistoryEntry }) {
  const looks = useLabelLooks()
  const [isOpen, setOpen] = useState(false)
  const { data: whole, isFetching } = useHistoryEntry(slug, entry.id, isOpen)
  const changes = changesOf(whole ?? entry, ruleInWords, looks)
  if (changes.length === 0 && !entry.is_short) return null
  return (
    <div className={styles.changes}>
      {changes.map(({ title, before, after, isMove }, at) => (
        <div key={at}>
          <span className={styles.title}>{title}:</span>{' '}
          {isMove && (
            <>
              <bdi>{before ?? '–'}</bdi> →{' '}
            </>
          )}
          <bdi>{after ?? '–'}</bdi>
        </div>
      ))}
      {entry.is_short && !whole && (
        <Button size="small" variant="quiet" isPending={isFetching} onPress={() => setOpen(true)}>
          {t.fullText}
        </Button>
      )}
    </div>
  )
}
