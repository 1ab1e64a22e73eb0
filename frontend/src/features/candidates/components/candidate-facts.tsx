import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Candidate } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatDecimal } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/candidates'
import { printable } from '../state/printable'
import { ruleName, ruleWords } from '../state/rule-words'
import styles from './candidate-row.module.css'

/** Whether a caption is kept, and where it is not, by which rule and what the rule saw. */
export function Fate({ candidate }: { candidate: Candidate }) {
  if (candidate.status === 'new') return <Badge>{t.notCleanedYet}</Badge>
  if (candidate.status === 'kept') {
    return (
      <Badge tone="done" icon="check">
        {t.kept}
      </Badge>
    )
  }
  const { name, does } = ruleWords(candidate.drop_rule)
  return (
    <>
      <Badge tone="unsure" icon="cross">
        {name}
      </Badge>
      {/* Of a repeated caption the detail is a key, which says nothing to people. */}
      <span>{(!candidate.repeats && printable(candidate.drop_detail)) || does}</span>
    </>
  )
}

export function Flags({ flags }: { flags: readonly string[] }) {
  return flags.map((flag) => (
    <Badge key={flag} tone="bad" icon="alert">
      {ruleName(flag)}
    </Badge>
  ))
}

/** Where a caption came from: its source, its place there, and how near the picture is that lent it. */
export function Origin({ candidate: { source, source_ref, similarity, rank } }: { candidate: Candidate }) {
  return (
    <>
      <span>{sourceName(source)}</span>
      {source_ref && source_ref !== 'by_hand' && <bdi className={styles.reference}>{printable(source_ref)}</bdi>}
      {similarity !== null && <span>{t.similarity({ similarity: formatDecimal(similarity, 3) })}</span>}
      {rank !== null && <span>{t.rank({ rank })}</span>}
    </>
  )
}

/** Who had the last word, where a person had it. */
export function LastWord({ decision }: { decision: Candidate['decision'] }) {
  if (!decision) return null
  return (
    <p className={styles.decision}>
      <Sentence
        of={decision.verdict === 'keep' ? t.keptBy : t.droppedByName}
        parts={{ name: decision.decided_by, when: <RelativeTime at={decision.created_at} /> }}
      />
      {decision.reason && (
        <>
          : <bdi>{printable(decision.reason)}</bdi>
        </>
      )}
    </p>
  )
}
