import { type ComponentType, useState } from 'react'
import { onDemand } from '@/lib/on-demand'
import { t } from '@/messages/annotate'
import { noAnswer } from '../state/judging'
import type { useJudging } from '../state/use-judging'
import { type Closable, NotYet } from './not-yet'

const later = <Props extends Closable>(load: () => Promise<ComponentType<Props>>) => onDemand(load, NotYet)

const SkipDialog = later(() => import('./skip-dialog').then((module) => module.SkipDialog))
const LensDialog = later(() => import('./desk-dialogs').then((module) => module.LensDialog))
const CommentDialog = later(() => import('./desk-dialogs').then((module) => module.CommentDialog))

/** Their code is fetched in a quiet moment, so that a key opens them in the same frame. */
export const overlays = [SkipDialog, LensDialog, CommentDialog]

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

/** What lies over the desk and leaves it where it is. */
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
        <LensDialog
          lens={answer.lens}
          isGood={answer.label === 'good'}
          onChoose={(lens) => judging.giveLens(index, lens)}
          onClose={onClose}
        />
      )
    case 'comment':
      return (
        <CommentDialog
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
