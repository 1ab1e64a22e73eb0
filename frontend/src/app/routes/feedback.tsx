import { useState } from 'react'
import { useActions } from '@/lib/actions/action-context'
import { onDemand } from '@/lib/on-demand'
import { feedbackActions } from './feedback-actions'

const InboxPanel = onDemand(() => import('@/features/inbox/components/inbox-panel').then((module) => module.InboxPanel))

/** What the head annotator wrote, beside the work: its code comes when it is asked for. */
export function Feedback({ slug }: { slug: string }) {
  const [isOpen, setOpen] = useState(false)
  useActions(feedbackActions, { 'feedback.open': () => setOpen((was) => !was) })
  return isOpen && <InboxPanel slug={slug} onClose={() => setOpen(false)} />
}
