import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { Photograph, type PhotographHandle } from '@/components/photograph/photograph'
import { ActionIconButton } from '@/components/ui/action-button'
import { LabelBadge } from '@/components/ui/badge'
import { ProgressBar } from '@/components/ui/progress-bar'
import { t } from '@/messages/annotate'
import { countJudged, isComplete, openAnswer } from '../state/judging'
import { usePinchOut } from '../state/use-pinch'
import { useSwipe } from '../state/use-swipe'
import { AnswerKeys } from './answer-keys'
import { CaptionDeeds } from './caption-deeds'
import { BreakLine, type ShownDesk } from './caption-desk'
import { DeskHeader, PhoneTools } from './desk-header'
import { DeskNotice, SentBefore } from './notice-bar'
import { QueryGrid } from './query-grid'
import styles from './query-grid.module.css'
import { RemarkBadges } from './remarks'

/** One text, and the photographs to judge by it; `+` brings one of them near. */
export function QueryDesk(props: ShownDesk & { grid: RefObject<HTMLOListElement | null> }) {
  const { project, assignment, desk, judging, options, photograph, canUndo, preview, inPlace, grid } = props
  const { state } = judging
  const answer = openAnswer(state)
  const near = useNearView(photograph)
  // What is enlarged moves under the finger; a stroke over it leads nowhere.
  const swipe = useSwipe((by) => !near.handle.current?.isEnlarged() && !inPlace && judging.move(by))
  const pinch = usePinchOut(near.bring)
  const image = state.items[state.current]?.image
  return (
    <main className={styles.desk}>
      <ProgressBar label={t.photographsJudged} value={countJudged(state)} max={state.items.length} isThin />
      <div className={styles.head}>
        <div>
          <p className={styles.task}>{t.ofWhich}</p>
          <h1 className={styles.query} lang="en" dir="auto">
            {assignment.query?.text}
          </h1>
        </div>
        <DeskHeader project={project} assignment={assignment} />
        <PhoneTools project={project} assignment={assignment} isAlone />
      </div>
      <div className={styles.mat} {...swipe}>
        {near.isNear && image ? (
          <Photograph key={state.current} image={image} handle={near.handle} isNear />
        ) : (
          <>
            <div className={styles.pinched} {...pinch}>
              <QueryGrid state={state} grid={grid} onOpen={judging.open} />
            </div>
            {image && (
              <div className={styles.tools}>
                <ActionIconButton id="photo.zoom-in" icon="plus" />
              </div>
            )}
          </>
        )}
      </div>
      {preview ?? <BreakLine slug={project.slug} />}
      <SentBefore assignment={assignment} />
      <DeskNotice project={project} assignment={assignment} desk={desk} />
      <section className={styles.foot} aria-label={t.yourJudgment}>
        <div className={styles.beside}>
          {answer ? (
            (inPlace ?? <CaptionDeeds isCaption={false} isGeneric={false} />)
          ) : (
            isComplete(state) && <strong>{t.allJudged({ n: state.items.length })}</strong>
          )}
          {answer?.label && (
            <span>
              <LabelBadge label={answer.label} /> <RemarkBadges answer={answer} />
            </span>
          )}
        </div>
        <AnswerKeys state={state} options={options} isSending={desk.isSending} canUndo={canUndo} />
      </section>
    </main>
  )
}

/** The zoom verbs of the page: the first step in brings the open photograph near, the last step out puts it back. */
function useNearView(outer: RefObject<PhotographHandle | null>) {
  const [isNear, setNear] = useState(false)
  const handle = useRef<PhotographHandle>(null)
  useImperativeHandle(outer, () => ({
    zoomIn: () => (isNear ? handle.current?.zoomIn() : setNear(true)),
    zoomOut: () => (handle.current?.isEnlarged() ? handle.current.zoomOut() : setNear(false)),
    pan: (by) => handle.current?.pan(by),
    fit: () => setNear(false),
    fullScreen: () => (isNear ? handle.current?.fullScreen() : setNear(true)),
    isEnlarged: () => isNear,
  }))
  return { isNear, handle, bring: () => setNear(true) }
}
