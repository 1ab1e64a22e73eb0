import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { useActions } from '@/lib/actions/action-context'
import type { Assignment, Project } from '@/lib/api/contract'
import { onDemand, usePreload } from '@/lib/on-demand'
import { projectQuery } from '@/lib/project/get-project'
import { actionsInOrder } from '../actions'
import { optionsOf } from '../state/annotation-words'
import { isComplete, judgmentsOf, openAnswer } from '../state/judging'
import type { Desk } from '../state/use-desk'
import { useJudging } from '../state/use-judging'
import { CaptionDesk } from './caption-desk'
import { DeskOverlay, type Overlay, overlays } from './desk-overlay'
import type { PhotographHandle } from './photograph'
import { columnsOf } from './query-grid'

const CaptionEditor = onDemand(() => import('./caption-editor').then((module) => module.CaptionEditor))
const QueryDesk = onDemand(() => import('./query-desk').then((module) => module.QueryDesk))
const likelySoon = [CaptionEditor, ...overlays]

export interface JudgingDeskProps {
  project: Project
  assignment: Assignment
  desk: Desk
}

/** One HIT, from the first key to the submit. */
export function JudgingDesk({ project, assignment, desk }: JudgingDeskProps) {
  const photograph = useRef<PhotographHandle>(null)
  const grid = useRef<HTMLOListElement>(null)
  const [overlay, setOverlay] = useState<Overlay | 'editor' | null>(null)
  const judging = useJudging(assignment)
  const { state } = judging
  usePreload(likelySoon)
  useFreshGuidelines(project, assignment.guidelines_version)

  const isCaption = assignment.query === null
  const options = optionsOf(assignment.options)
  const answer = openAnswer(state)
  const canSay = () => !desk.isSending && answer !== undefined
  const canMend = () => canSay() && isCaption
  const line = () => (isCaption ? 1 : columnsOf(grid.current))
  const close = () => setOverlay(null)

  useActions(actionsInOrder(options), {
    'judge.good': { when: canSay, perform: () => judging.judge('good') },
    'judge.bad': { when: canSay, perform: () => judging.judge('bad') },
    'judge.unsure': { when: canSay, perform: () => judging.judge('unsure') },
    'caption.next': () => judging.move(1),
    'caption.previous': () => judging.move(-1),
    'caption.down': () => judging.move(line()),
    'caption.up': () => judging.move(-line()),
    'caption.edit': { when: canMend, perform: () => setOverlay('editor') },
    'caption.lens': { when: canSay, perform: () => setOverlay('lens') },
    'caption.generic': {
      when: canMend,
      perform: () => {
        const isGeneric = !answer?.isGeneric
        judging.remark({ isGeneric }, isGeneric ? 'Marked too generic.' : 'No longer marked too generic.')
      },
    },
    'caption.comment': { when: canSay, perform: () => setOverlay('comment') },
    'judge.undo': { when: () => !desk.isSending && state.past.length > 0, perform: judging.undo },
    'hit.submit': {
      when: () => !desk.isSending && isComplete(state),
      perform: () => desk.submit(judgmentsOf(state)),
    },
    'hit.skip': { when: () => !desk.isSending, perform: () => setOverlay('skip') },
    'guidelines.open': () => setOverlay('guidelines'),
    'photo.zoom-in': () => photograph.current?.zoomIn(),
    'photo.zoom-out': () => photograph.current?.zoomOut(),
    'photo.fit': () => photograph.current?.fit(),
  })

  const shown = { project, assignment, desk, judging, options, photograph }
  return (
    <>
      {isCaption ? (
        <CaptionDesk
          {...shown}
          editor={
            overlay === 'editor' && answer ? (
              <CaptionEditor
                text={state.items[state.current]?.text ?? ''}
                edits={answer.edits}
                onSave={(edits) => {
                  close()
                  judging.remark({ edits }, edits.length > 0 ? 'The edit is kept.' : 'The caption is as it was.')
                }}
                onClose={close}
              />
            ) : null
          }
        />
      ) : (
        <QueryDesk {...shown} grid={grid} />
      )}
      <p className="visually-hidden" aria-live="polite" data-testid="announcement">
        {state.said}
      </p>
      {overlay && overlay !== 'editor' && (
        <DeskOverlay
          overlay={overlay}
          project={project}
          assignmentId={assignment.id}
          answer={answer}
          judging={judging}
          onSkipped={(isBack) => {
            showToast(isBack ? 'Skipped. It comes back to you later.' : 'Skipped. Others will have it.')
            desk.takeNext()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** The curator may have changed the guidelines since the project was fetched; the assignment names their version. */
function useFreshGuidelines(project: Project, version: number): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (version > project.version) void queryClient.invalidateQueries({ queryKey: projectQuery(project.slug).queryKey })
  }, [queryClient, project, version])
}
