import { useReducer, useRef, useState } from 'react'
import { Photograph, type PhotographHandle } from '@/components/photograph/photograph'
import { usePhotoHandlers } from '@/components/photograph/use-photo-handlers'
import { useLabelLooks } from '@/components/ui/label-looks'
import { Notice } from '@/components/ui/notice'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Label, Project } from '@/lib/api/contract'
import type { Edit } from '@/lib/judging/annotation-words'
import { editedText } from '@/lib/judging/edits'
import type { Writing } from '@/lib/judging/writing'
import { onDemand } from '@/lib/on-demand'
import { t } from '@/messages/review'
import { openCaseActions } from '../actions'
import { useCase } from '../api/cases'
import { sendDecision } from '../api/decide'
import type { Case, Confidence, Detail, Item, Pair, ReasonTag } from '../api/shapes'
import { correctionsOf, ownLabel, pageReducer, type PageState, pageStart } from '../state/page'
import { useLease } from '../state/use-lease'
import type { Queue } from '../state/use-queue'
import { inRows, isCorrection, letterOf, standsOf } from '../state/votes'
import { CaseFooter } from './case-footer'
import { CaseHeader } from './case-header'
import { Elsewhere, Models, nameOf, People, type PeopleProps, Reasons, Standing, Thread } from './evidence'
import styles from './open-case.module.css'
import { PageList } from './page-list'
import { type Returnable, type Returned, ReturnStrip } from './return-strip'
import { MoreStrip, WhyStrip } from './strip'

const CaptionEditor = onDemand(() =>
  import('@/components/caption-editor/caption-editor').then((module) => module.CaptionEditor),
)

/** What the place under the evidence asks, if anything. */
type Mode =
  | { kind: 'why'; label: Label; edits: readonly Edit[] }
  | { kind: 'edit'; writing: Writing }
  | { kind: 'return' }
  | { kind: 'more' }

export interface OpenCaseProps {
  project: Project
  queue: Queue
  id: number
  handlers: {
    toFilters: () => void
    close: () => void
  }
}

/** One case: the photograph large, what is known of it beside it, and a decision by one key. */
export function OpenCase({ project: { slug }, queue, id, handlers }: OpenCaseProps) {
  const looks = useLabelLooks()
  const listed = queue.cases.find((each) => each.id === id)
  const { data: detail, error, refetch } = useCase(slug, id)
  const shown: Case | undefined = detail ?? listed
  const isOpen = shown?.state === 'open'
  const held = useLease(slug, id, isOpen && queue.reopening !== id)
  const photograph = useRef<PhotographHandle>(null)
  const ofPhoto = usePhotoHandlers(photograph)
  const [hasNames, setNames] = useState(false)
  const [mode, setMode] = useState<Mode | null>(null)
  const [page, step] = useReducer(pageReducer, pageStart)

  const isPage = shown?.kind === 'assignment'
  const isSecondLook = shown?.second_look ?? false
  const pairs = detail?.pairs ?? []
  const pair = pairs[isPage ? page.at : 0]
  const corrections = correctionsOf(page)
  const own = pair && isPage ? ownLabel(pair, detail?.annotator?.id) : null
  const isWriting = mode?.kind === 'edit' || mode?.kind === 'return'
  const canDecide = () => detail !== undefined && isOpen && held === null && !isWriting
  const canAnswer = () => canDecide() && pair !== undefined && !pair.is_control
  const close = () => setMode(null)
  const decide = (body: Parameters<Queue['decide']>[1], words: string) => detail && queue.decide(detail, body, words)

  /** The item with all that is said of it: the pair is settled, or the page has one correction more. */
  const finish = (item: Item) => {
    close()
    if (isPage) step({ kind: 'correct', item, n: pairs.length })
    else decide({ action: 'settle', items: [item] }, t.saidDecided({ label: looks[item.label].word }))
  }

  const answer = (label: Label, edits: readonly Edit[] = []) => {
    if (!pair) return
    const isAsked = mode?.kind === 'why' && mode.label === label
    if (isPage && label === own && edits.length === 0) {
      close()
      step({ kind: 'accept', candidate: pair.candidate, n: pairs.length })
    } else if (!isAsked && (isPage || edits.length > 0 || isCorrection(pair, label)))
      setMode({ kind: 'why', label, edits })
    else finish(itemOf(pair, label, mode?.kind === 'why' ? mode.edits : edits))
  }

  const because = (reason: ReasonTag | null, confidence: Confidence) => {
    if (pair && mode?.kind === 'why') finish(itemOf(pair, mode.label, mode.edits, reason, confidence))
  }

  const sendBack = ({ chosen, text, template, label }: Returned) => {
    if (!pair) return
    const said = label && !pair.is_control ? [{ candidate: pair.candidate, label }] : []
    const known = [...corrections, ...said]
    const body = { action: 'rework' as const, text, template }
    close()
    if (isPage) {
      const items = chosen.map((candidate) => known.findLast((each) => each.candidate === candidate) ?? { candidate })
      decide({ ...body, items }, t.saidReturned)
    } else decide({ ...body, annotators: chosen, items: said }, t.saidReturned)
  }

  const acceptPage = () =>
    corrections.length > 0
      ? decide({ action: 'accept_with_corrections', items: corrections }, t.saidCorrected)
      : decide({ action: 'accept_page' }, t.saidPage)

  const accept = () => {
    if (!pair) return
    if (isPage) step({ kind: 'accept', candidate: pair.candidate, n: pairs.length })
    else if (pair.majority) decide({ action: 'accept_majority' }, t.saidMajority({ label: looks[pair.majority].word }))
    close()
  }

  /** Of a task for the caption in sight; the task stays open. */
  const askMore = (k: number) => {
    close()
    if (!isPage) decide({ action: 'ask_more', k }, t.saidMore({ n: k }))
    else if (pair)
      sendDecision(slug, id, { action: 'ask_more', k, items: [{ candidate: pair.candidate }] }).then(
        () => showToast(t.saidMore({ n: k })),
        (refusal: unknown) => showToast(t.notSaved({ why: asApiError(refusal).message }), 'bad'),
      )
  }

  const go = (by: 1 | -1) => {
    if (!isPage) queue.step(by)
    else step({ kind: 'go', to: Math.min(pairs.length - 1, Math.max(0, page.at + by)) })
    close()
  }

  useActions(openCaseActions(looks), {
    'review.good': { when: canAnswer, perform: () => answer('good') },
    'review.bad': { when: canAnswer, perform: () => answer('bad') },
    'review.unsure': { when: canAnswer, perform: () => answer('unsure') },
    'review.edit': {
      when: () => canAnswer() && pair?.query === null && !isSecondLook,
      perform: () => pair && setMode({ kind: 'edit', writing: { text: startOf(pair), kinds: {} } }),
    },
    'review.accept': {
      when: () => canDecide() && (isPage ? pair !== undefined : (pair?.majority ?? null) !== null),
      perform: accept,
    },
    'review.accept-page': { when: () => canDecide() && isPage, perform: acceptPage },
    'review.return': {
      when: () =>
        canDecide() && !isSecondLook && pair !== undefined && returnablesOf(detail, pair, page, hasNames).length > 0,
      perform: () => setMode({ kind: 'return' }),
    },
    'review.more': {
      when: () => canAnswer() && !isSecondLook && pair?.verdict === null,
      perform: () => setMode({ kind: 'more' }),
    },
    'review.dismiss': { when: canDecide, perform: () => decide({ action: 'dismiss' }, t.saidDismissed) },
    'review.names': () => setNames((now) => !now),
    'review.down': { when: () => !isWriting, perform: () => go(1) },
    'review.up': { when: () => !isWriting, perform: () => go(-1) },
    'review.next': { when: () => !isWriting, perform: () => queue.step(1) },
    'review.previous': { when: () => !isWriting, perform: () => queue.step(-1) },
    'review.undo': { when: () => queue.last !== null && !isWriting, perform: queue.undo },
    'review.filter': handlers.toFilters,
    'review.close': () => (mode ? close() : handlers.close()),
    ...ofPhoto,
  })

  if (error && !shown) return <ErrorState error={error} title={t.caseNotShown} onRetry={() => void refetch()} />
  if (!shown) return <div className={styles.mat} />
  const image = pair?.image ?? shown.image
  const caption = pair?.text ?? (isPage ? '' : shown.text)
  return (
    <section className={styles.case} aria-label={t.case}>
      <div className={styles.mat}>
        {image && (
          <Photograph key={image.id} image={{ alt: t.theImage, thumbnail: image.thumbnail }} handle={photograph} />
        )}
      </div>
      <div className={styles.words}>
        <CaseHeader shown={shown} hasNames={hasNames} at={page.at + 1} onBack={handlers.close} />
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A long case scrolls by keyboard, too. */}
        <div className={styles.scroll} role="group" aria-label={t.evidence} tabIndex={0}>
          <Reasons reasons={shown.reasons} />
          {held && <Notice>{held}</Notice>}
          {error && <ErrorState error={error} title={t.caseNotShown} onRetry={() => void refetch()} />}
          {isPage && detail && <PageList detail={detail} page={page} onGo={(to) => step({ kind: 'go', to })} />}
          {mode?.kind === 'edit' && pair ? (
            <CaptionEditor
              text={pair.text}
              edits={[]}
              writing={mode.writing}
              suggestions={[]}
              onWrite={(writing) => setMode({ kind: 'edit', writing })}
              onSave={(edits) => answer('good', edits)}
              onClose={close}
            />
          ) : (
            <p className={styles.caption} lang="en" dir="auto">
              {pair?.query ?? caption}
            </p>
          )}
          {pair && (
            <Evidence key={pair.candidate} slug={slug} pair={pair} hasNames={hasNames} owner={detail?.annotator?.id} />
          )}
        </div>
        {mode?.kind === 'why' && <WhyStrip key={mode.label} label={mode.label} onChoose={because} onCancel={close} />}
        {mode?.kind === 'more' && <MoreStrip onCancel={close} onChoose={askMore} />}
        {mode?.kind === 'return' && detail && pair && (
          <ReturnStrip
            slug={slug}
            returnables={returnablesOf(detail, pair, page, hasNames)}
            chosen={isPage ? returnablesOf(detail, pair, page, hasNames).map(({ id }) => id) : differing(pair)}
            onSend={sendBack}
            onCancel={close}
          />
        )}
        {mode?.kind !== 'return' && mode?.kind !== 'edit' && (
          <CaseFooter
            shown={shown}
            chosen={mode?.kind === 'why' ? mode.label : (page.corrections[pair?.candidate ?? 0]?.label ?? null)}
            isDisabled={!canAnswer()}
            isAsking={mode !== null}
            detail={detail}
            page={page}
            queue={queue}
          />
        )}
      </div>
    </section>
  )
}

function Evidence({ slug, pair, hasNames, owner }: PeopleProps & { slug: string }) {
  const looks = useLabelLooks()
  return (
    <>
      {pair.is_control && (
        <Notice>
          {t.controlIs} {pair.control_labels.map((label) => looks[label].word).join(', ')}
        </Notice>
      )}
      {!(owner !== undefined && pair.answers.length < 2) && <Standing pair={pair} />}
      <People pair={pair} hasNames={hasNames} owner={owner} />
      <Elsewhere pair={pair} />
      <Models pair={pair} />
      <Thread slug={slug} pair={pair} hasNames={hasNames} />
    </>
  )
}

/** The caption as the last decision left it. */
const startOf = (pair: Pair): string => editedText(pair.text, pair.verdict?.edits ?? [])

function itemOf(
  { candidate }: Pair,
  label: Label,
  edits: readonly Edit[],
  reason: ReasonTag | null = null,
  confidence?: Confidence,
): Item {
  return {
    candidate,
    label,
    ...(edits.length > 0 && { text_edit: { edits: [...edits] } }),
    ...(reason && { reason }),
    ...(confidence && { confidence }),
  }
}

/** Of a pair the people who answered; of a task the large caption and those that are corrected, in their order. */
function returnablesOf(detail: Detail | undefined, pair: Pair, page: PageState, hasNames: boolean): Returnable[] {
  if (detail?.kind !== 'assignment') {
    return inRows(pair.answers).map((answer, at) => ({
      id: answer.annotator.id,
      name: hasNames ? nameOf(answer) : t.personLetter({ letter: letterOf(at) }),
      label: answer.label,
    }))
  }
  const chosen = detail.pairs.filter((each) => each === pair || each.candidate in page.corrections)
  return chosen.flatMap((each) => {
    const label = ownLabel(each, detail.annotator?.id)
    return each.is_control || !label ? [] : [{ id: each.candidate, name: each.query ? t.theImage : each.text, label }]
  })
}

/** Those who say something else than what stands; everybody where nothing does. */
function differing(pair: Pair): number[] {
  const stands = standsOf(pair)
  const others = pair.answers.filter(({ label }) => stands !== null && label !== stands)
  return (others.length > 0 ? others : pair.answers).map((answer) => answer.annotator.id)
}
