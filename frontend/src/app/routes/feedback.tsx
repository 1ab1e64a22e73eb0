import { useState } from 'react'
import { useActions, useSuspendedActions } from '@/lib/actions/action-context'
import { onDemand } from '@/lib/on-demand'
import { feedbackActions } from './feedback-actions'

const InboxDrawer = onDemand(() =>
  import('@/features/inbox/components/inbox-drawer').then((module) => module.InboxDrawer),
)

/** What the head annotator wrote, beside the work: its code comes when it is asked for. */
export function Feedback({ slug }: { slug: string }) {
  const [isOpen, setOpen] = useState(false)
  useActions(feedbackActions, { 'feedback.open': () => setOpen(true) })
  useSuspendedActions(isOpen)
  return isOpen && <InboxDrawer slug={slug} onClose={() => setOpen(false)} />
}
