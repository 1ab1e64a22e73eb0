import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Tabs } from '@/components/ui/tabs'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { Survey } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/surveys'
import { useCloseSurvey, useDeleteSurvey, useOpenSurvey, useSurvey } from '../api/surveys'
import { LinksTab } from './links-tab'
import { ParticipantsTab } from './participants-tab'
import { PreviewTab } from './preview-tab'
import { ResultsTab } from './results-tab'
import { SettingsTab } from './settings-tab'
import { StateBadge } from './state-badge'

export interface SurveyPageProps {
  project: Project
  id: number
  onGone: () => void
}

/** One survey: its draft, its links, and what participants answered. */
export function SurveyPage({ project, id, onGone }: SurveyPageProps) {
  const { data: survey, error, refetch } = useSurvey(project.slug, id)
  if (error) return <ErrorState error={error} title={t.surveyNotShown} isPage onRetry={() => void refetch()} />
  if (!survey) return <Skeleton label={t.theSurvey} rows={4} />
  const mayCurate = project.role === 'curator'
  return (
    <Page isWide>
      <PageHeader
        title={survey.title}
        lead={
          <>
            <StateBadge survey={survey} /> {leadOf(survey)}
          </>
        }
        actions={
          <>
            <LinkButton to="/projects/$slug/surveys" params={{ slug: project.slug }} variant="quiet">
              {t.allSurveys}
            </LinkButton>
            {mayCurate && <Deeds slug={project.slug} survey={survey} onGone={onGone} />}
          </>
        }
      />
      <Tabs label={t.partsOfSurvey} tabs={tabsFor(project.slug, survey, mayCurate)} />
    </Page>
  )
}

function leadOf(survey: Survey): string {
  if (survey.state === 'draft') return t.draftLead
  if (survey.closed_by === 'date') return t.closedByDate
  if (survey.closed_by === 'number') return t.closedByNumber
  if (survey.closed_by === 'curator') return t.closedByCurator
  return survey.closes_at === null ? t.openLead : t.openUntil({ when: absoluteTime(new Date(survey.closes_at)) })
}

function tabsFor(slug: string, survey: Survey, mayCurate: boolean) {
  const preview = { id: 'preview', label: t.preview, content: <PreviewTab slug={slug} survey={survey} /> }
  const results = { id: 'results', label: t.results, content: <ResultsTab slug={slug} survey={survey} /> }
  const people = { id: 'people', label: t.participants, content: <ParticipantsTab slug={slug} survey={survey} /> }
  const links = { id: 'links', label: t.links, content: <LinksTab slug={slug} survey={survey} /> }
  const settings = { id: 'settings', label: t.settings, content: <SettingsTab slug={slug} survey={survey} /> }
  if (survey.state === 'draft') return mayCurate ? [preview, settings] : [preview]
  return mayCurate ? [results, people, links, settings] : [results, people]
}

/** Open, close or delete: each asks once. */
function Deeds({ slug, survey, onGone }: { slug: string; survey: Survey; onGone: () => void }) {
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null)
  const opening = useOpenSurvey(slug, survey.id)
  const closing = useCloseSurvey(slug, survey.id)
  const deleting = useDeleteSurvey(slug, survey.id)
  const done = () => setAsked(null)
  return (
    <>
      {survey.state !== 'open' && (
        <Button variant="quiet" onPress={() => setAsked('delete')}>
          {t.deleteSurvey}
        </Button>
      )}
      {survey.state === 'open' && <Button onPress={() => setAsked('close')}>{t.closeSurvey}</Button>}
      {survey.state === 'draft' && (
        <Button variant="primary" isPending={opening.isPending} onPress={() => opening.mutate(undefined)}>
          {t.openSurvey}
        </Button>
      )}
      {opening.error && <Notice tone="bad">{asApiError(opening.error).message}</Notice>}
      <ConfirmDialog
        title={t.closeQuestion}
        verb={t.closeSurvey}
        isOpen={asked === 'close'}
        isPending={closing.isPending}
        error={closing.error}
        onConfirm={() => closing.mutate(undefined, { onSuccess: done })}
        onClose={done}
      >
        {t.closeConsequence}
      </ConfirmDialog>
      <ConfirmDialog
        title={t.deleteQuestion}
        verb={t.deleteSurvey}
        isOpen={asked === 'delete'}
        isPending={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate(undefined, { onSuccess: onGone })}
        onClose={done}
      >
        {t.deleteConsequence({ n: survey.n_participants })}
      </ConfirmDialog>
    </>
  )
}
