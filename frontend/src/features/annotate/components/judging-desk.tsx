import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { PhotographHandle } from '@/components/photograph/photograph'
import { usePhotoHandlers } from '@/components/photograph/use-photo-handlers'
import { announce } from '@/components/ui/announcer-store'
import { showToast } from '@/components/ui/toast-store'
import { useActionRegistry, useActions } from '@/lib/actions/action-context'
import type { Assignment, Project } from '@/lib/api/contract'
import { optionsOf } from '@/lib/judging/annotation-words'
import { bringFocus } from '@/lib/layout/bring-focus'
import { onDemand, usePreload } from '@/lib/on-demand'
import { projectQuery } from '@/lib/project/get-project'
import { keepFromAsking } from '@/lib/session/ended-session'
import { t } from '@/messages/annotate'
import { actionsInOrder } from '../actions'
import { useSuggestions } from '../api/get-suggestions'
import { columnsOf } from '../state/columns'
import { isComplete, type JudgingState, judgmentsOf, openAnswer } from '../state/judging'
import { editOf, openEdit, unfinishedEdit } from '../state/unfinished'
import type { Desk } from '../state/use-desk'
import { useJudging } from '../state/use-judging'
import { CaptionDesk } from './caption-desk'
import { DeskOverlay, type Overlay, overlays } from './desk-overlay'
import { NotYet } from './not-yet'

const CaptionEditor = onDemand(
  () => import('@/components/caption-editor/caption-editor').then((module) => module.CaptionEditor),
  ({ writing, onClose }) => (
    <>
      <NotYet onClose={onClose} />
      <p dir="auto">{writing.text}</p>
    </>
  ),
)
const QueryDesk = onDemand(() => import('./query-desk').then((module) => module.QueryDesk))
const likelySoon = [CaptionEditor, ...overlays]

export interface JudgingDeskProps {
  project: Project
  assignment: Assignment
  desk: Desk
  /** Brings the HIT just sent back, once there is no step of this one left to undo. */
  onBringBack?: (() => void) | null
  /** Of a HIT that was sent before: leaves it as the server holds it. */
  onLeave?: () => void
  /** Of a preview: what it says of itself. Nothing of it is kept or sent. */
  preview?: ReactNode
}

/** One HIT, from the first key to the submit. */
export function JudgingDesk(props: JudgingDeskProps) {
  const { project, assignment, desk, onBringBack = null, onLeave, preview = null } = props
  const isPreview = preview !== null
  const photograph = useRef<PhotographHandle>(null)
  const grid = useRef<HTMLOListElement>(null)
  const [overlay, setOverlay] = useState<{ name: Overlay; index: number } | null>(null)
  const judging = useJudging(assignment, isPreview)
  const { state } = judging
  usePreload(likelySoon)
  useSpokenSteps(state)
  useFreshGuidelines(project, assignment.guidelines_version)

  const isCaption = assignment.query === null
  const options = optionsOf(assignment.options)
  const item = state.items[state.current]
  const answer = openAnswer(state)
  const edit = openEdit(state)
  const suggestions = useSuggestions(isPreview ? null : assignment.id, item?.position, edit !== null)
  useQuietKeys(overlay !== null || edit !== null)
  useFocusBack(overlay !== null)
  useEffect(() => keepFromAsking(isNothingOver), [])
  const canStep = () => !desk.isSending && edit === null
  const canSay = () => canStep() && answer !== undefined
  const canRepair = () => canSay() && isCaption
  const line = () => (isCaption ? 1 : columnsOf(grid.current))
  const show = (name: Overlay) => setOverlay({ name, index: state.current })
  const close = () => setOverlay(null)
  if (overlay && overlay.index !== state.current) close()
  const submit = () => {
    const left = unfinishedEdit(state)
    if (left < 0) {
      desk.submit(judgmentsOf(state))
      return
    }
    judging.open(left)
    showToast(t.editNotKept)
  }

  const undo = state.past.length > 0 ? judging.undo : onBringBack

  const ofPhoto = usePhotoHandlers(photograph)
  useActions(actionsInOrder(options, { isRevision: onLeave !== undefined, isCaption, isPreview }), {
    'judge.good': { when: canSay, perform: () => judging.judge('good') },
    'judge.bad': { when: canSay, perform: () => judging.judge('bad') },
    'judge.unsure': { when: canSay, perform: () => judging.judge('unsure') },
    'caption.next': () => judging.move(1),
    'caption.previous': () => judging.move(-1),
    'caption.down': () => judging.move(line()),
    'caption.up': () => judging.move(-line()),
    'caption.edit': {
      when: canRepair,
      perform: () => item && judging.write(state.current, { edit: editOf(item, answer) }),
    },
    'caption.lens': { when: canSay, perform: () => show('lens') },
    'caption.generic': {
      when: canRepair,
      perform: () => {
        const isGeneric = !answer?.isGeneric
        judging.remark(state.current, { isGeneric }, isGeneric ? t.markedGeneric : t.unmarkedGeneric)
      },
    },
    'caption.comment': { when: canSay, perform: () => show('comment') },
    'judge.undo': { when: () => canStep() && undo !== null, perform: () => undo?.() },
    'judge.redo': { when: () => canStep() && state.future.length > 0, perform: judging.redo },
    'hit.submit': {
      when: () => canStep() && isComplete(state),
      perform: submit,
    },
    'hit.leave': { when: () => canStep() && onLeave !== undefined, perform: () => onLeave?.() },
    'hit.skip': { when: () => !desk.isSending && !onLeave, perform: () => show('skip') },
    ...ofPhoto,
  })

  const over = overlay && (
    <DeskOverlay
      overlay={overlay.name}
      index={overlay.index}
      assignmentId={assignment.id}
      judging={judging}
      onSkipped={(isBack) => {
        showToast(isBack ? t.skippedToMe : t.skippedToOthers)
        desk.takeNext()
      }}
      onClose={close}
    />
  )
  const isOverAll = overlay?.name === 'skip'
  const inPlace = isOverAll ? null : over
  const shown = { project, assignment, desk, judging, options, photograph, canUndo: undo !== null, preview, inPlace }
  return (
    <>
      {isCaption ? (
        <CaptionDesk
          {...shown}
          editor={
            item && answer && edit ? (
              <CaptionEditor
                key={item.position}
                text={item.text ?? ''}
                edits={answer.edits}
                writing={edit}
                suggestions={suggestions}
                onWrite={(writing) => judging.write(state.current, { edit: writing })}
                onSave={(edits) => {
                  const said = edits.length > 0 ? t.editKept : t.captionAsWas
                  judging.remark(state.current, { edits }, said)
                }}
                onClose={() => judging.leaveEdit(state.current)}
              />
            ) : null
          }
        />
      ) : (
        <QueryDesk {...shown} grid={grid} />
      )}
      {isOverAll && over}
    </>
  )
}

/** Whether the desk has the person's keys: in a dialog they may wait for what it fetches. */
const isNothingOver = () => !document.querySelector('[role=dialog], [role=alertdialog]')

/** Says where one stands when the HIT arrives, and what every step has done. */
function useSpokenSteps({ said, past, current }: JudgingState): void {
  useEffect(() => announce(said), [said, past, current])
}

/** No key judges from the moment a dialog or the editor is asked for, its code here or not. */
function useQuietKeys(isQuiet: boolean): void {
  const registry = useActionRegistry()
  useLayoutEffect(() => (isQuiet ? registry.suspend() : undefined), [registry, isQuiet])
}

/**
 * What was open when a dialog came may be open no longer when it goes, as after a lens: the focus that would return there
 * goes to what is open now. A dialog gives the focus back in the frame after its last.
 */
function useFocusBack(isAway: boolean): void {
  useEffect(() => {
    if (isAway) return undefined
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => bringFocus(document.querySelector<HTMLElement>('[data-open]')))
    })
    return () => cancelAnimationFrame(frame)
  }, [isAway])
}

/** The curator may have changed the guidelines since the project was fetched; the assignment names their version. */
function useFreshGuidelines(project: Project, version: number): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (version > project.version) void queryClient.invalidateQueries({ queryKey: projectQuery(project.slug).queryKey })
  }, [queryClient, project, version])
}
