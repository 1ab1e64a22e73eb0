import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Project } from '@/lib/api/contract'
import type { Survey } from '@/lib/api/served'
import { t } from '@/messages/surveys'
import { useCreateSurvey, useSurveyModels, useSurveys } from '../api/surveys'
import { surveyFrom, usualFields } from '../state/survey-fields'
import { StateBadge } from './state-badge'
import { SurveyForm } from './survey-form'

export interface SurveysPageProps {
  project: Project
  onOpen: (id: number) => void
}

/** The surveys of a project, and the form for a new one. */
export function SurveysPage({ project, onOpen }: SurveysPageProps) {
  const [isMaking, setMaking] = useState(false)
  const mayMake = project.role === 'curator'
  const models = useSurveyModels(project.slug)
  return (
    <Page isWide>
      <PageHeader
        title={t.surveys}
        lead={t.surveysLead}
        actions={
          mayMake &&
          !isMaking && (
            <Button variant="primary" isDisabled={!models.data?.length} onPress={() => setMaking(true)}>
              {t.makeSurvey}
            </Button>
          )
        }
      />
      {isMaking ? (
        <NewSurvey slug={project.slug} onMade={onOpen} onLeave={() => setMaking(false)} />
      ) : (
        <SurveyList project={project} hasModels={models.data === undefined || models.data.length > 0} onOpen={onOpen} />
      )}
    </Page>
  )
}

function NewSurvey({ slug, onMade, onLeave }: { slug: string; onMade: (id: number) => void; onLeave: () => void }) {
  const models = useSurveyModels(slug).data ?? []
  const { mutate, isPending, error } = useCreateSurvey(slug)
  return (
    <>
      <SurveyForm
        first={usualFields}
        models={models}
        verb={t.makeDraft}
        isPending={isPending}
        error={error}
        onSave={(fields) => mutate(surveyFrom(fields), { onSuccess: ({ id }) => onMade(id) })}
      />
      <Button variant="quiet" onPress={onLeave}>
        {t.backToList}
      </Button>
    </>
  )
}

interface SurveyListProps extends SurveysPageProps {
  hasModels: boolean
}

function SurveyList({ project, hasModels, onOpen }: SurveyListProps) {
  const { data, error, isPending, refetch, ...pages } = useSurveys(project.slug)
  if (isPending) return <Skeleton label={t.theSurveys} rows={4} />
  if (error) return <ErrorState error={error} title={t.surveysNotShown} onRetry={() => void refetch()} />
  const surveys = data.pages.flatMap((page) => page.results)
  if (surveys.length === 0 && !hasModels) {
    return (
      <NothingYet
        project={project}
        title={t.noHardCaptions}
        icon="image"
        forCurators={t.noHardForCurators}
        forOthers={t.noHardForOthers}
      />
    )
  }
  if (surveys.length === 0)
    return (
      <EmptyState
        title={t.noSurveys}
        icon="image"
        action={
          project.role !== 'curator' && (
            <LinkButton to="/projects/$slug/difficulty" params={{ slug: project.slug }}>
              {t.seeHardest}
            </LinkButton>
          )
        }
      >
        {project.role === 'curator' ? t.noSurveysForCurators : t.noSurveysForOthers}
      </EmptyState>
    )
  return (
    <>
      <Table
        label={t.surveys}
        columns={columnsFor(project.slug)}
        rows={surveys}
        rowId={({ id }) => String(id)}
        onRowAction={({ id }) => onOpen(id)}
      />
      <MoreButton {...pages}>{t.earlierSurveys}</MoreButton>
    </>
  )
}

const columnsFor = (slug: string): TableColumn<Survey>[] => [
  {
    id: 'title',
    title: t.title,
    cell: ({ id, title }) => (
      <Link to="/projects/$slug/surveys/$surveyId" params={{ slug, surveyId: String(id) }}>
        {title}
      </Link>
    ),
  },
  { id: 'state', title: t.state, onPhone: 'beside', cell: (survey) => <StateBadge survey={survey} /> },
  { id: 'pairs', title: t.pairs, isNumber: true, onPhone: 'under', cell: ({ n_items }) => n_items },
  { id: 'finished', title: t.finished, isNumber: true, onPhone: 'under', cell: finishedOf },
  { id: 'made', title: t.made, onPhone: 'under', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

const finishedOf = ({ n_finished, max_participants }: Survey): string =>
  max_participants === null ? String(n_finished) : t.nOf({ n: n_finished, all: max_participants })
