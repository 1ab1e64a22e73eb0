import { useRef, useState } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Remark, RemarkAnswerIn } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { t } from '@/messages/inbox'
import { inboxActions } from '../actions'
import { useAnswerRemark } from '../api/answer-remark'
import { useInbox } from '../api/get-inbox'
import { useMarkSeen } from '../api/mark-seen'
import { openAnswers } from './answer-bar'
import styles from './inbox.module.css'
import { RemarkCard } from './remark-card'

/** The remarks, unread first. `hasKeys` where the page is theirs; beside the work the keys belong to the work. */
export function InboxList({ slug, hasKeys = false }: { slug: string; hasKeys?: boolean }) {
  const { data, error, isPending, refetch, ...pages } = useInbox(slug)
  if (isPending) return <Skeleton label={t.remarks} rows={4} />
  if (!data) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const remarks = data.pages.flatMap((page) => page.results)
  if (remarks.length === 0) {
    const toWork = (
      <LinkButton to="/projects/$slug/annotate" params={{ slug }} variant="primary">
        {t.openTasks}
      </LinkButton>
    )
    return (
      <EmptyState title={t.nothing} icon="message" action={hasKeys && toWork}>
        {t.nothingHint}
      </EmptyState>
    )
  }
  return (
    <>
      <Remarks slug={slug} remarks={remarks} hasKeys={hasKeys} />
      <MoreButton {...pages}>{t.more}</MoreButton>
    </>
  )
}

interface RemarksProps {
  slug: string
  remarks: readonly Remark[]
  hasKeys: boolean
}

function Remarks({ slug, remarks, hasKeys }: RemarksProps) {
  const list = useRef<HTMLOListElement>(null)
  const { active, move } = useActiveRow({ list, ids: remarks.map(({ id }) => id) })
  const [talking, setTalking] = useState<number | null>(null)
  const { mutate } = useAnswerRemark(slug)
  useMarkSeen(slug, list, remarks)
  const answer = (remark: Remark, said: RemarkAnswerIn, onSuccess?: () => void) =>
    mutate(
      { id: remark.id, ...said },
      { ...(onSuccess && { onSuccess }), onError: (failure) => showToast(asApiError(failure).message, 'bad') },
    )
  const cards = (
    <ol ref={list} className={styles.list}>
      {remarks.map((remark, index) => (
        <RemarkCard
          key={remark.id}
          slug={slug}
          remark={remark}
          index={index}
          isActive={hasKeys && index === active}
          isTalking={talking === remark.id}
          onAnswer={(said) => answer(remark, { answer: said, text: '' })}
          onTalk={(isOpen) => setTalking(isOpen ? remark.id : null)}
          onSend={(text) => answer(remark, { answer: 'talk', text }, () => setTalking(null))}
        />
      ))}
    </ol>
  )
  const current = remarks[active] ?? remarks[0]
  if (!hasKeys || !current) return cards
  return (
    <>
      <Keys
        remark={current}
        onMove={move}
        onAnswer={(said) => answer(current, { answer: said, text: '' })}
        onTalk={() => setTalking(current.id)}
      />
      {cards}
    </>
  )
}

interface KeysProps {
  remark: Remark
  onMove: (by: 1 | -1) => void
  onAnswer: (said: 'acknowledge' | 'agree') => void
  onTalk: () => void
}

function Keys({ remark, onMove, onAnswer, onTalk }: KeysProps) {
  const isOpen = (id: ReturnType<typeof openAnswers>[number]) => () => openAnswers(remark).includes(id)
  useActions(inboxActions, {
    'inbox.next': () => onMove(1),
    'inbox.previous': () => onMove(-1),
    'inbox.acknowledge': { when: isOpen('inbox.acknowledge'), perform: () => onAnswer('acknowledge') },
    'inbox.agree': { when: isOpen('inbox.agree'), perform: () => onAnswer('agree') },
    'inbox.talk': { when: isOpen('inbox.talk'), perform: onTalk },
  })
  return null
}
