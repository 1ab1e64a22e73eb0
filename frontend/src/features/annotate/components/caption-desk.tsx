import type { ReactNode, RefObject } from 'react'
import { Photograph, type PhotographHandle } from '@/components/photograph/photograph'
import frame from '@/components/ui/judging-frame.module.css'
import { ProgressBar } from '@/components/ui/progress-bar'
import type { Assignment, Label, Project } from '@/lib/api/contract'
import { onDemand } from '@/lib/on-demand'
import { t } from '@/messages/annotate'
import { countJudged, openAnswer } from '../state/judging'
import type { Desk } from '../state/use-desk'
import type { useJudging } from '../state/use-judging'
import styles from './annotate-page.module.css'
import { AnswerKeys } from './answer-keys'
import { CaptionDeeds } from './caption-deeds'
import { CaptionList } from './caption-list'
import { DeskHeader, PhoneTools } from './desk-header'
import { DeskNotice, SentBefore } from './notice-bar'

/** It has nothing to say before the first answer can be given. */
export const BreakLine = onDemand(() => import('./break-line').then((module) => module.BreakLine))

export interface ShownDesk {
  project: Project
  assignment: Assignment
  desk: Desk
  judging: ReturnType<typeof useJudging>
  options: readonly Label[]
  photograph: RefObject<PhotographHandle | null>
  canUndo: boolean
  /** What a preview says of itself. */
  preview: ReactNode
  /** Stands in place of the buttons of the open pair. */
  inPlace: ReactNode
}

/** One photograph, and the captions to judge of it. */
export function CaptionDesk(props: ShownDesk & { editor: ReactNode }) {
  const { project, assignment, desk, judging, options, photograph, canUndo, preview, inPlace, editor } = props
  const { state } = judging
  return (
    <main className={frame.frame}>
      <h1 className="visually-hidden">{t.judgeCaptions}</h1>
      <div className={frame.progress}>
        <ProgressBar label={t.captionsJudged} value={countJudged(state)} max={state.items.length} isThin />
      </div>
      {assignment.image && <Photograph image={assignment.image} handle={photograph} />}
      <section className={styles.panel} aria-label={t.captions}>
        <DeskHeader project={project} assignment={assignment} />
        <CaptionList
          state={state}
          onOpen={judging.open}
          onSwipe={(by) => {
            if (!inPlace) judging.move(by)
          }}
          tools={<PhoneTools project={project} assignment={assignment} />}
          deeds={inPlace ?? <CaptionDeeds isCaption isGeneric={openAnswer(state)?.isGeneric ?? false} />}
          editor={editor}
        />
        {preview ?? <BreakLine slug={project.slug} />}
        <SentBefore assignment={assignment} />
        <DeskNotice project={project} assignment={assignment} desk={desk} />
        <AnswerKeys state={state} options={options} isSending={desk.isSending} canUndo={canUndo} />
      </section>
    </main>
  )
}
