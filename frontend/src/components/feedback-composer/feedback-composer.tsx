import { showToast } from '@/components/ui/toast-store'
import type { Label } from '@/lib/api/contract'
import type { RemarkSent } from '@/lib/api/served'
import { type FeedbackAbout, useSendFeedback } from '@/lib/feedback/send-feedback'
import { t } from '@/messages/remarks'
import { FeedbackForm } from './feedback-form'

export interface FeedbackComposerProps {
  slug: string
  /** The person it goes to, by the name to show; empty where names are hidden. */
  name: string
  about: FeedbackAbout
  /** Of feedback on one answer: how many people gave it, and which it is. */
  same?: { n: number; label: Label } | undefined
  /** Whether the person may change the guidelines. */
  isCurator: boolean
  onSent: (sent: RemarkSent) => void
  onClose: () => void
}

/** Writes feedback and sends it. It stands in the page, under the evidence. */
export function FeedbackComposer({ slug, name, about, same, isCurator, onSent, onClose }: FeedbackComposerProps) {
  const { mutate, isPending, error } = useSendFeedback(slug, about)
  const isOne = 'judgment' in about
  return (
    <FeedbackForm
      slug={slug}
      draftKey={`${slug} ${JSON.stringify(about)}`}
      title={titleOf(name, about)}
      hint={hintOf(about)}
      asksLabel={isOne}
      same={isOne ? same : undefined}
      offersExample={isOne && isCurator}
      isPending={isPending}
      error={error}
      onSend={(draft, done) =>
        mutate(draft, {
          onSuccess: (sent) => {
            done()
            showToast(sent.n_sent > 1 ? t.sentToAll({ n: sent.n_sent }) : t.sent)
            onSent(sent)
          },
        })
      }
      onClose={onClose}
    />
  )
}

function hintOf(about: FeedbackAbout): string {
  if ('judgment' in about) return t.textHint
  return 'last' in about ? t.lastHint : t.severalHint
}

function titleOf(name: string, about: FeedbackAbout): string {
  const to = name || t.annotator
  if ('judgment' in about) return t.writeToPerson({ name: to })
  const n = 'last' in about ? about.last : about.judgments.length
  return 'last' in about ? t.writeAboutLast({ n, name: to }) : t.writeAboutSeveral({ n, name: to })
}
