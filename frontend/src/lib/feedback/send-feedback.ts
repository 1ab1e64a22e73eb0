import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Label } from '@/lib/api/contract'
import type { RemarkSent } from '@/lib/api/served'

/** One answer, or several of one person: listed, or the last ones, of which the server leaves some out. */
export type FeedbackAbout =
  { judgment: number } | { annotator: number; judgments: readonly number[] } | { annotator: number; last: number }

export interface FeedbackDraft {
  text: string
  template: number | null
  /** Which answer is correct, if that is said. */
  label: Label | null
  isForAll: boolean
  isExample: boolean
}

function sendFeedback(slug: string, about: FeedbackAbout, draft: FeedbackDraft): Promise<RemarkSent> {
  const { text, template, label, isForAll, isExample } = draft
  const params = { path: { slug } }
  if ('judgment' in about) {
    const body = { judgment: about.judgment, text, label, template, is_for_all: isForAll, is_example: isExample }
    return unwrap(api.POST('/api/v1/projects/{slug}/remarks', { params, body }))
  }
  const chosen = 'last' in about ? { judgments: [], last: about.last } : { judgments: [...about.judgments], last: 0 }
  const body = { annotator: about.annotator, ...chosen, text, template }
  return unwrap(api.POST('/api/v1/projects/{slug}/feedback/batches', { params, body }))
}

/** Sends feedback; all that shows feedback of the project is read again. */
export function useSendFeedback(slug: string, about: FeedbackAbout) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: FeedbackDraft) => sendFeedback(slug, about, draft),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'remarks'] }),
        queryClient.invalidateQueries({ queryKey: ['project', slug, 'feedback'] }),
      ]),
  })
}
