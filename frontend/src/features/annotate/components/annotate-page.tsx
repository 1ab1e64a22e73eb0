import { useState } from 'react'
import { useAnnouncement } from '@/components/ui/announcer-store'
import frame from '@/components/ui/judging-frame.module.css'
import { Delayed } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import type { Assignment, Project } from '@/lib/api/contract'
import { onDemand, usePreload } from '@/lib/on-demand'
import { useProgress } from '@/lib/project/get-progress'
import { isReviewer } from '@/lib/project/roles'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/annotate'
import { useNextAssignment } from '../api/get-next-assignment'
import { useDesk } from '../state/use-desk'
import { useHeartbeat } from '../state/use-heartbeat'
import { useHold } from '../state/use-hold'
import { useKeptDesk } from '../state/use-kept-desk'
import { useOtherTabs } from '../state/use-other-tabs'
import { useSending } from '../state/use-outbox'
import { type Revision, useRevision } from '../state/use-revision'
import { useScrollApart } from '../state/use-scroll-apart'
import { useSpokenOutbox } from '../state/use-spoken-outbox'
import styles from './annotate-page.module.css'
import { Guidelines } from './guidelines'
import { JudgingDesk } from './judging-desk'

const NothingHere = onDemand(() => import('./nothing-here').then((module) => module.NothingHere), WaitingDesk)
const OpenElsewhere = onDemand(() => import('./open-elsewhere').then((module) => module.OpenElsewhere), WaitingDesk)
const likelySoon = [NothingHere, OpenElsewhere]
const Preview = onDemand(() => import('./preview').then((module) => module.Preview), WaitingDesk)

/** Whoever runs the project sees a preview until they want to judge: what they only look at stays with annotators. */
export function AnnotatePage({ project }: { project: Project }) {
  return (
    <>
      {isReviewer(project.role) ? <PreviewFirst project={project} /> : <Workplace project={project} />}
      <Guidelines project={project} />
    </>
  )
}

function PreviewFirst({ project }: { project: Project }) {
  const [isBegun, setBegun] = useState(false)
  const { data, error, refetch } = useProgress(project.slug)
  // Without a network no HIT is handed out: what they have in hand is found.
  const isOffline = error !== null && asApiError(error).isOffline
  if (isBegun || isOffline || (data && data.mine.submitted_total > 0)) return <Workplace project={project} />
  if (error) {
    return (
      <main>
        <ErrorState isPage error={error} title={t.noneFetched} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (!data) return <WaitingDesk />
  return (
    <Preview project={project} onStart={() => setBegun(true)}>
      {(shown) => <JudgingDesk key={shown.assignment.id} project={project} {...shown} />}
    </Preview>
  )
}

function Workplace({ project }: { project: Project }) {
  usePageTitle(t.annotateProject({ name: project.name }))
  useSending(project.slug)
  useOtherTabs(project.slug)
  useSpokenOutbox()
  useScrollApart()
  usePreload(likelySoon)
  const { data, error, isPending, refetch } = useNextAssignment(project.slug)
  useKeptDesk(project, data && !data.assignment ? [] : null)
  const revision = useRevision(project.slug)
  const retry = () => void refetch()
  if (isPending) return <WaitingDesk />
  if (error) {
    return (
      <main>
        <ErrorState isPage error={error} title={t.noneFetched} onRetry={retry} />
      </main>
    )
  }
  if (data.assignment) return <Desk project={project} assignment={data.assignment} revision={revision} />
  if (revision.current) return <RevisionDesk project={project} revision={revision.current} />
  return <NothingHere project={project} reason={data.reason} onLook={retry} onBringBack={revision.bringBack} />
}

/** Stays while one HIT follows the other, so that what is on its way to the server is not forgotten. */
function Desk({ project, assignment, revision }: { project: Project; assignment: Assignment; revision: Revision }) {
  const desk = useDesk(project.slug, assignment)
  const hasRunOut = useHeartbeat(project.slug, project.lease_minutes, assignment, desk.upcoming)
  const { isElsewhere, turn, takeOver } = useHold(assignment.id)
  useKeptDesk(project, desk.upcoming ? [assignment, desk.upcoming] : [assignment])
  if (revision.current) return <RevisionDesk project={project} revision={revision.current} />
  if (isElsewhere) return <OpenElsewhere onTakeOver={takeOver} />
  return (
    <JudgingDesk
      key={`${assignment.id} ${turn}`}
      project={project}
      assignment={assignment}
      desk={{ ...desk, hasRunOut }}
      onBringBack={revision.bringBack}
    />
  )
}

/** The HIT that was just sent, on the desk again. */
function RevisionDesk({ project, revision }: { project: Project; revision: NonNullable<Revision['current']> }) {
  const { assignment, desk, leave } = revision
  return <JudgingDesk key={assignment.id} project={project} assignment={assignment} desk={desk} onLeave={leave} />
}

function Waiting() {
  useAnnouncement(t.fetching)
  return <p className={styles.waiting}>{t.fetching}</p>
}

/** The empty mat, where the photograph will appear; words only when it takes long. */
function WaitingDesk() {
  return (
    <main className={frame.frame} aria-busy="true">
      <div className={styles.mat} />
      <div className={styles.panel}>
        <Delayed>
          <Waiting />
        </Delayed>
      </div>
    </main>
  )
}
