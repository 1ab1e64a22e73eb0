import type { Project } from '@/lib/api/contract'
import { onDemand } from '@/lib/on-demand'
import type { Answer } from '../state/judging'
import type { useJudging } from '../state/use-judging'

const GuidelinesDrawer = onDemand(() => import('./guidelines-drawer').then((module) => module.GuidelinesDrawer))
const SkipDialog = onDemand(() => import('./skip-dialog').then((module) => module.SkipDialog))
const LensDialog = onDemand(() => import('./desk-dialogs').then((module) => module.LensDialog))
const CommentDialog = onDemand(() => import('./desk-dialogs').then((module) => module.CommentDialog))

/** Their code is fetched in a quiet moment, so that a key opens them in the same frame. */
export const overlays = [GuidelinesDrawer, SkipDialog, LensDialog, CommentDialog]

export type Overlay = 'guidelines' | 'skip' | 'lens' | 'comment'

export interface DeskOverlayProps {
  overlay: Overlay
  project: Project
  assignmentId: string
  /** To the open pair. */
  answer: Answer | undefined
  judging: ReturnType<typeof useJudging>
  onSkipped: (isBack: boolean) => void
  onClose: () => void
}

/** What lies over the desk and leaves it where it is. */
export function DeskOverlay({ overlay, project, assignmentId, answer, judging, onSkipped, onClose }: DeskOverlayProps) {
  switch (overlay) {
    case 'guidelines':
      return <GuidelinesDrawer guidelines={project.guidelines} onClose={onClose} />
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
          lens={answer?.lens ?? ''}
          isGood={answer?.label === 'good'}
          onChoose={judging.giveLens}
          onClose={onClose}
        />
      )
    case 'comment':
      return (
        <CommentDialog
          comment={answer?.comment ?? ''}
          onSave={(comment) => judging.remark({ comment }, comment ? 'The comment is kept.' : 'No comment.')}
          onClose={onClose}
        />
      )
  }
}
