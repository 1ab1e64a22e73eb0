import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import { WhatComes } from '@/components/ui/what-comes'
import type { Project } from '@/lib/api/contract'
import type { Survey } from '@/lib/api/served'
import { t } from '@/messages/surveys'
import { useCreateSurvey, useHardCaptions, useSurveyModels, useSurveys } from '../api/surveys'
import { surveyFrom, usualFields } from '../state/survey-fields'
import { StateBadge } from './state-badge'
import { SurveyForm } from './survey-form'
import styles from './surveys.module.css'

export interface SurveysPageProps {
  project: Project
  onOpen: (id: number) => void
}

/** The surveys of a project, and the form for a new one. */
export function SurveysPage({ project, onOpen }: SurveysPageProps) {
  const [isMaking, setMaking] = useState(false)
  const mayMake = project.role === 'curator'
  const models = useSurveyModels(project.slug)
  const hasModels = models.data === undefined || models.data.length > 0
  const { data: surveys } = useSurveys(project.slug)
  const isFirst = hasModels && surveys?.pages[0]?.results.length === 0
  const make = mayMake && !isMaking && (
    <Button variant="primary" isDisabled={!models.data?.length} onPress={() => setMaking(true)}>
      {t.makeSurvey}
    </Button>
  )
  return (
    <Page isWide>
      <PageHeader title={t.surveys} lead={t.surveysLead} actions={!isFirst && make} />
      {isMaking ? (
        <NewSurvey slug={project.slug} onMade={onOpen} onLeave={() => setMaking(false)} />
      ) : (
        <SurveyList project={project} hasModels={hasModels} make={make} onOpen={onOpen} />
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
  make: ReactNode
}

function SurveyList({ project, hasModels, make, onOpen }: SurveyListProps) {
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
  if (surveys.length === 0) return <NoSurvey project={project} make={make} />
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

/** What a survey is made of, with captions that one made now would ask about. */
function NoSurvey({ project: { slug, role }, make }: { project: Project; make: ReactNode }) {
  const isCurator = role === 'curator'
  return (
    <div className={styles.parts}>
      <WhatComes
        title={t.noSurveys}
        lead={isCurator ? t.noSurveysForCurators : t.noSurveysForOthers}
        things={[
          { icon: 'image', title: t.comesPairs, words: t.comesPairsWords },
          { icon: 'link', title: t.comesLink, words: t.comesLinkWords },
          { icon: 'check', title: t.comesShares, words: t.comesSharesWords },
        ]}
        action={
          make || (
            <LinkButton to="/projects/$slug/difficulty" params={{ slug }} variant="primary">
              {t.seeHardest}
            </LinkButton>
          )
        }
      />
      <HardExamples slug={slug} />
    </div>
  )
}

const nExamples = 4

function HardExamples({ slug }: { slug: string }) {
  const { data } = useHardCaptions(slug)
  // One caption for each image: those of one image look like the same picture again and again.
  const rows = data?.results.filter(
    ({ image }, at, all) => all.findIndex((other) => other.image.id === image.id) === at,
  )
  if (!rows?.length) return null
  return (
    <section className={styles.part} aria-labelledby="hard-examples">
      <h2 id="hard-examples">{t.hardExamples}</h2>
      <ul className={styles.examples}>
        {rows.slice(0, nExamples).map(({ id, image, text }) => (
          <li key={id}>
            <img
              src={image.thumbnail.small.url}
              width={image.thumbnail.small.width}
              height={image.thumbnail.small.height}
              alt={image.key}
              loading="lazy"
            />
            <p dir="auto">{text}</p>
          </li>
        ))}
      </ul>
    </section>
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
