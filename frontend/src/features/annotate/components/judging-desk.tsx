import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ProgressBar } from '@/components/ui/progress-bar'
import { showToast } from '@/components/ui/toast-store'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Assignment, Project } from '@/lib/api/contract'
import { onDemand, usePreload } from '@/lib/on-demand'
import { projectQuery } from '@/lib/project/get-project'
import { annotateActions } from '../actions'
import { useReturnAssignment } from '../api/return-assignment'
import { countJudged, isComplete, judgmentsOf } from '../state/judging'
import { noticeFor } from '../state/notice'
import { useJudging } from '../state/use-judging'
import { useSubmission } from '../state/use-submission'
import styles from './annotate-page.module.css'
import { AnswerKeys } from './answer-keys'
import { CaptionList } from './caption-list'
import { DeskHeader, PhoneTools } from './desk-header'
import { NoticeBar } from './notice-bar'
import { Photograph, type PhotographHandle } from './photograph'

const GuidelinesDrawer = onDemand(() => import('./guidelines-drawer').then((module) => module.GuidelinesDrawer))
const likelySoon = [GuidelinesDrawer]

export interface JudgingDeskProps {
  project: Project
  assignment: Assignment
}

/** One photograph and its captions, from the first key to the submit. */
export function JudgingDesk({ project, assignment }: JudgingDeskProps) {
  const photograph = useRef<PhotographHandle>(null)
  const [isReading, setReading] = useState(false)
  const judging = useJudging(assignment)
  const submission = useSubmission(project.slug, assignment)
  const { state } = judging
  usePreload(likelySoon)
  useFreshGuidelines(project, assignment.guidelines_version)
  const handBack = useHandBack(assignment.id)
  const canJudge = () => !submission.isSending && state.current < state.items.length
  const canSubmit = () => !submission.isSending && isComplete(state)
  const submit = () => submission.submit(judgmentsOf(state))

  useActions(annotateActions, {
    'judge.good': { when: canJudge, perform: () => judging.judge('good') },
    'judge.bad': { when: canJudge, perform: () => judging.judge('bad') },
    'judge.unsure': { when: canJudge, perform: () => judging.judge('unsure') },
    'caption.next': () => judging.move(1),
    'caption.previous': () => judging.move(-1),
    'judge.undo': { when: () => !submission.isSending && state.past.length > 0, perform: judging.undo },
    'hit.submit': { when: canSubmit, perform: submit },
    'hit.return': handBack,
    'guidelines.open': () => setReading(true),
    'photo.zoom-in': () => photograph.current?.zoomIn(),
    'photo.zoom-out': () => photograph.current?.zoomOut(),
    'photo.fit': () => photograph.current?.fit(),
  })

  return (
    <main className={styles.desk}>
      <h1 className="visually-hidden">Judge the captions of a photograph</h1>
      <div className={styles.progress}>
        <ProgressBar label="Captions judged" value={countJudged(state)} max={state.items.length} isThin />
      </div>
      <Photograph image={assignment.image} handle={photograph} />
      <section className={styles.panel} aria-label="Captions">
        <DeskHeader project={project} assignment={assignment} />
        <CaptionList
          state={state}
          onOpen={judging.open}
          onSwipe={judging.move}
          tools={<PhoneTools assignment={assignment} />}
        />
        {submission.error && (
          <NoticeBar
            notice={noticeFor(submission.error, countJudged(state))}
            onRetry={submit}
            onNext={submission.takeNext}
          />
        )}
        <AnswerKeys state={state} isSending={submission.isSending} />
      </section>
      <p className="visually-hidden" aria-live="polite" data-testid="announcement">
        {state.said}
      </p>
      {isReading && <GuidelinesDrawer guidelines={project.guidelines} onClose={() => setReading(false)} />}
    </main>
  )
}

/** The curator may have changed the guidelines since the project was fetched; the assignment names their version. */
function useFreshGuidelines(project: Project, version: number): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (version > project.version) void queryClient.invalidateQueries({ queryKey: projectQuery(project.slug).queryKey })
  }, [queryClient, project, version])
}

/** Gives the lease back for somebody else and leaves the desk; the draft stays in case it returns. */
function useHandBack(assignmentId: string): () => void {
  const navigate = useNavigate()
  const { mutate } = useReturnAssignment()
  return () =>
    mutate(assignmentId, {
      onSuccess: () => {
        showToast('The photograph is back with the others.')
        void navigate({ to: '/' })
      },
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
}
