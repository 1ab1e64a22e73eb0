import { EffectChart } from '@/components/feedback-effect/effect-chart'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { AnnotatorRow, PersonFigures, ReviewedAnnotator } from '@/lib/api/figures'
import type { AnnotatorDetail } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { say } from '@/lib/language/catalogue'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { useAnnotator } from '../api/annotators'
import { useFeedbackEffect, usePersonFigures, useReviewedPages } from '../api/figures'
import { nameOf } from '../state/agreement-words'
import { flagInWords, flagName } from '../state/flag-words'
import { StateBadges } from './annotator-cells'
import { ConfusionTable } from './confusion-table'
import { FindingList } from './finding-list'
import { PersonFacts } from './person-facts'
import { Habits, LabelMix } from './person-habits'
import styles from './person-page.module.css'
import { PersonTrend } from './person-trend'
import page from './quality-page.module.css'
import { DecisionHistory, Deciding } from './standing-form'

export interface PersonPageProps {
  project: Project
  id: number
}

/** One annotator: the figures, what they are from, and what may be decided. */
export function PersonPage({ project: { slug, role }, id }: PersonPageProps) {
  const { data, error, isPending, refetch } = useAnnotator(slug, id)
  const figures = usePersonFigures(slug, id)
  const reviewed = useReviewedPages(slug).data?.find(({ annotator }) => annotator.id === id)
  if (isPending) return <Waiting />
  if (error) return <ErrorState error={error} isPage onRetry={() => void refetch()} />
  const row: AnnotatorRow = data.annotator
  return (
    <Page isWide>
      <PageHeader
        title={nameOf(row.user)}
        lead={<Lead row={row} />}
        actions={
          <>
            <LinkButton to="/projects/$slug/quality" params={{ slug }} search={{ tab: 'annotators' }} variant="quiet">
              {t.allAnnotators}
            </LinkButton>
            <LinkButton
              to="/projects/$slug/quality/annotators/$annotatorId/answers"
              params={{ slug, annotatorId: String(id) }}
            >
              {t.readJudged}
            </LinkButton>
            <Button onPress={() => document.querySelector('#deciding')?.scrollIntoView()}>{t.changeStatus}</Button>
          </>
        }
      />
      <div className={styles.parts}>
        <FlagList row={row} />
        <PersonFacts slug={slug} row={row} figures={figures.data} reviewed={reviewed} />
        {figures.isPending && <Skeleton label={t.theAnnotator} rows={6} />}
        {figures.error && <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />}
        {figures.data && <Evidence slug={slug} figures={figures.data} reviewed={reviewed} row={row} />}
        <div className={styles.columns}>
          <section className={page.section} aria-labelledby="findings">
            <h2 id="findings" className={page.title}>
              {t.rulesFind}
            </h2>
            <FindingList findings={data.findings} empty={t.nothingFound} />
            <Notes notes={row.reasons.map(say)} label={t.personReads} />
            <DecisionHistory made={data.decisions} />
          </section>
          <Deciding slug={slug} id={id} mayCurate={role === 'curator'} decidable={data.decidable} />
        </div>
      </div>
    </Page>
  )
}

const Waiting = () => (
  <Page isWide>
    <Skeleton label={t.theAnnotator} rows={8} />
  </Page>
)

function Lead({ row }: { row: AnnotatorDetail['annotator'] }) {
  return (
    <span className={styles.lead}>
      <StateBadges annotator={row} />
      {t.hitsN({ n: row.hits })}
      {row.last_active_at && (
        <span>
          <Sentence of={t.lastSubmitAt} parts={{ when: <RelativeTime at={row.last_active_at} /> }} />
        </span>
      )}
    </span>
  )
}

/** What stands out, before any rule: a sign, a word, and the figures. */
function FlagList({ row: { flags } }: { row: AnnotatorRow }) {
  if (flags.length === 0) return null
  return (
    <ul className={styles.flags} aria-label={t.flags}>
      {flags.map((flag) => (
        <li key={flag.code}>
          <Badge tone="warning" icon="alert">
            {flagName(flag)}
          </Badge>{' '}
          {flagInWords(flag)}
        </li>
      ))}
    </ul>
  )
}

interface EvidenceProps {
  slug: string
  row: AnnotatorRow
  figures: PersonFigures
  reviewed: ReviewedAnnotator | undefined
}

function Evidence({ slug, row, figures, reviewed }: EvidenceProps) {
  const effect = useFeedbackEffect(slug, row.user.id).data?.results ?? []
  return (
    <>
      {figures.days.length > 0 && <PersonTrend figures={figures} />}
      <div className={styles.columns}>
        <section className={page.section} aria-labelledby="with-others">
          <h2 id="with-others" className={page.title}>
            {t.againstConsensus}
          </h2>
          <ConfusionTable
            label={t.againstConsensus}
            rowName={t.consensusOfOthers}
            columnName={nameOf(row.user)}
            counts={figures.confusion}
          />
          <p className={page.note}>{t.howConsensus({ n: formatCount(figures.with_consensus?.n ?? 0) })}</p>
        </section>
        {reviewed && reviewed.n_reviewed > 0 && (
          <section className={page.section} aria-labelledby="with-head">
            <h2 id="with-head" className={page.title}>
              {t.againstHead}
            </h2>
            <ConfusionTable
              label={t.againstHead}
              rowName={t.decisionOfHead}
              columnName={nameOf(row.user)}
              counts={reviewed.confusion}
            />
            <p className={page.note}>{t.howHead({ n: formatCount(reviewed.agreement_with_head?.n ?? 0) })}</p>
          </section>
        )}
        <section className={page.section} aria-labelledby="habits">
          <h2 id="habits" className={page.title}>
            {t.habits}
          </h2>
          <LabelMix mix={figures.label_mix} />
          <Habits figures={figures} />
        </section>
      </div>
      {effect.length > 0 && <EffectChart effects={effect} namesPeople={false} isSub />}
    </>
  )
}
