import { type ReactNode, useMemo, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { cx } from '@/components/ui/cx'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { useActions } from '@/lib/actions/action-context'
import type { Assignment, HitPreview, Project } from '@/lib/api/contract'
import { usePageTitle } from '@/lib/use-page-title'
import { t as annotate } from '@/messages/annotate'
import { t } from '@/messages/preview'
import { usePreview } from '../api/get-preview'
import { previewActions } from '../preview-actions'
import type { Desk } from '../state/use-desk'
import styles from './annotate-page.module.css'
import type { JudgingDeskProps } from './judging-desk'
import own from './preview.module.css'

export interface PreviewProps {
  project: Project
  /** They want to judge in earnest. */
  onStart: () => void
  /** Draws the desk: its code is on the page already, and this code comes when it is asked for. */
  children: (shown: Pick<JudgingDeskProps, 'assignment' | 'desk' | 'preview'>) => ReactNode
}

/** The desk as annotators have it, for those who run the project: no HIT is held, and no answer is kept or sent. */
export function Preview({ project, onStart, children }: PreviewProps) {
  usePageTitle(annotate.annotateProject({ name: project.name }))
  const [after, setAfter] = useState(0)
  const { data, error, refetch } = usePreview(project.slug, after)
  const hit = data?.hit ?? null
  const assignment = useMemo(() => hit && assignmentOf(hit), [hit])
  const showAnother = () => setAfter(hit?.id ?? 0)
  useActions(previewActions, {
    'preview.start': onStart,
    'preview.another': { when: () => hit !== null, perform: showAnother },
  })
  if (error) {
    return (
      <main>
        <ErrorState isPage error={error} title={t.previewNotShown} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (!data) return null
  if (!assignment) {
    return (
      <main>
        <EmptyState isPage title={t.noTasksYet} icon="image">
          {t.noTasksYetWords}
        </EmptyState>
      </main>
    )
  }
  const notice = (
    <div className={cx(styles.notice, own.preview)} role="note">
      <p>{t.previewNote}</p>
      <div className={own.offers}>
        <ActionButton id="preview.another" size="small" showsKey />
        <ActionButton id="preview.start" size="small" variant="primary" showsKey />
      </div>
    </div>
  )
  return children({ assignment, desk: deskOf(showAnother), preview: notice })
}

const never = '9999-12-31T00:00:00Z'

/** What the desk takes; no server knows it by this id. */
const assignmentOf = (hit: NonNullable<HitPreview['hit']>): Assignment => ({
  ...hit,
  id: `preview ${hit.id}`,
  status: 'leased',
  expires_at: never,
  submitted_at: null,
})

const deskOf = (showAnother: () => void): Desk => ({
  submit: () => {
    showToast(t.previewNotSent)
    showAnother()
  },
  isSending: false,
  takeNext: showAnother,
  upcoming: null,
  isLastBecause: null,
})
