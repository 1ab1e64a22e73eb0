import { type ComponentType, useState } from 'react'
import { onDemand } from '@/lib/on-demand'
import { t } from '@/messages/annotate'
import { noAnswer } from '../state/judging'
import type { useJudging } from '../state/use-judging'
import { type Closable, NotYet } from './not-yet'

const later = <Props extends Closable>(load: () => Promise<ComponentType<Props>>) => onDemand(load, NotYet)

const SkipDialog = later(() => import('./skip-dialog').then((module) => module.SkipDialog))
const LensChoice = later(() => import('./desk-dialogs').then((module) => module.LensChoice))
const CommentField = later(() => import('./desk-dialogs').then((module) => module.CommentField))

/** Their code is fetched in a quiet moment, so that a key opens them in the same frame. */
export const overlays = [SkipDialog, LensChoice, CommentField]

export type Overlay = 'skip' | 'lens' | 'comment'

export interface DeskOverlayProps {
  overlay: Overlay
  /** The pair it was opened for. */
  index: number
  assignmentId: string
  judging: ReturnType<typeof useJudging>
  onSkipped: (isBack: boolean) => void
  onClose: () => void
}

/** What is opened for the pair: to skip, a dialog over the desk; the others in place of the buttons under it. */
export function DeskOverlay(props: DeskOverlayProps) {
  const { overlay, index, assignmentId, judging, onSkipped, onClose } = props
  const { items, answers, unfinished } = judging.state
  const position = items[index]?.position ?? 0
  const answer = answers[position] ?? noAnswer
  const [commentBefore] = useState(unfinished[position]?.comment ?? null)
  switch (overlay) {
    case 'skip':
      return (
        <SkipDialog
          assignmentId={assignmentId}
          onSkipped={(isBack) => {
            onClose()
            onSkipped(isBack)
          }}
          onClose={onClose}
        />
      )
    case 'lens':
      return (
        <LensChoice
          lens={answer.lens}
          isGood={answer.label === 'good'}
          onChoose={(lens) => judging.giveLens(index, lens)}
          onClose={onClose}
        />
      )
    case 'comment':
      return (
        <CommentField
          comment={unfinished[position]?.comment ?? answer.comment}
          onWrite={(comment) => judging.write(index, { comment: comment === answer.comment ? null : comment })}
          onSave={(comment) => {
            onClose()
            judging.remark(index, { comment }, comment ? t.commentKept : t.noComment)
          }}
          onClose={() => {
            onClose()
            judging.putByComment(index, commentBefore)
          }}
        />
      )
  }
}
