import { useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { atDesk } from '@/lib/language/catalogue'
import { onDemand } from '@/lib/on-demand'
import { useProjects } from '@/lib/project/get-projects'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/projects'
import { projectListActions } from '../actions'
import { ProjectEntry } from './project-entry'
import styles from './project-list-page.module.css'

// A person with one project has room under it. Its charts and their sentences come with it.
const OneProject = onDemand(atDesk(() => import('./one-project').then((module) => module.OneProject)))
const NewProjectDialog = onDemand(() => import('./new-project-dialog').then((module) => module.NewProjectDialog))

export function ProjectListPage() {
  const [isStarting, setStarting] = useState(false)
  const mayStart = useMayStart()
  useActions(projectListActions, { 'project.create': { when: () => mayStart, perform: () => setStarting(true) } })
  return (
    <Page>
      <PageHeader
        title={t.yourProjects}
        actions={
          mayStart && <ActionButton id="project.create" variant="primary" icon="plus" preventFocusOnPress={false} />
        }
      />
      <ProjectList />
      {isStarting && <NewProjectDialog onClose={() => setStarting(false)} />}
    </Page>
  )
}

/** Offered to staff and to whoever curates already; the server has the last word. */
function useMayStart(): boolean {
  const isStaff = useMe()?.is_staff ?? false
  const projects = useProjects().data?.pages.flatMap((page) => page.results) ?? []
  return isStaff || projects.some((project) => project.role === 'curator')
}

function ProjectList() {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useProjects()
  if (isPending) return <Skeleton label={t.yourProjectsLoading} />
  if (error) return <ErrorState error={error} title={t.projectsNotShown} onRetry={() => void refetch()} />
  const projects = data.pages.flatMap((page) => page.results)
  if (projects.length === 0) return <NoProjects />
  const [only] = projects.length === 1 && !hasNextPage ? projects : []
  return (
    <>
      <ul className={styles.list}>
        {projects.map((project) => (
          <ProjectEntry key={project.slug} project={project} />
        ))}
      </ul>
      {only && only.counts.hits > 0 && <OneProject project={only} />}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
          {t.moreProjects}
        </Button>
      )}
    </>
  )
}

function NoProjects() {
  return (
    <EmptyState title={t.noProjects} icon="image">
      {t.noProjectsHint}
    </EmptyState>
  )
}
