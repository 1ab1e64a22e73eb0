import { Button } from '@/components/ui/button'
import { useLabelLooks } from '@/components/ui/label-looks'
import { LinkButton } from '@/components/ui/link-button'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import type { Remark, RemarkRow } from '@/lib/api/served'
import { saidOf } from '@/lib/judging/said-of'
import { t } from '@/messages/inbox'
import { useReviseUnder } from '../api/answer-remark'
import styles from './inbox.module.css'

/** The answer that the feedback asks for in one press, or the task that it stands in. */
export function ReviseDeed({ slug, remark, row }: { slug: string; remark: Remark; row: RemarkRow }) {
  const looks = useLabelLooks()
  const { mutate, isPending } = useReviseUnder(slug, remark, row)
  const { label, item, closed, assignment } = row
  const change = (chosen: Label) =>
    mutate(saidOf(item, chosen), {
      onSuccess: () => showToast(t.changed({ label: looks[chosen].word })),
      onError: (failure) => showToast(asApiError(failure).message, 'bad'),
    })
  return (
    <div className={styles.answers}>
      {label && label !== item.label && !closed && (
        <Button size="small" variant="primary" isPending={isPending} onPress={() => change(label)}>
          {t.changeTo({ label: looks[label].word })}
        </Button>
      )}
      <LinkButton
        size="small"
        variant="quiet"
        to="/projects/$slug/past-work/$assignmentId"
        params={{ slug, assignmentId: assignment }}
        search={{ at: item.position }}
      >
        {closed ? t.openPast : t.change}
      </LinkButton>
    </div>
  )
}
