import { formatShare } from '@/lib/format/numbers'
import type { AnnotatorDetail, PolicyPreview } from '@/lib/api/served'
import { actionName } from '../state/rules'
import styles from './drawer.module.css'

type Finding = AnnotatorDetail['findings'][number] | PolicyPreview['findings'][number]

const collectorWords: Record<Finding['collector'], string> = {
  control_failures: 'Hidden controls failed',
  too_fast: 'Answers too fast',
  straight_lining: 'Whole pages with one answer',
  position_bias: 'Follows the place on the screen',
  disagreement: 'Disagrees with most others',
  skips: 'Skips page after page',
}

export interface FindingListProps {
  findings: readonly Finding[]
  empty: string
  /** Names the person in front of each finding. */
  hasNames?: boolean
}

/** What rules found, from how much, and what they ask for. */
export function FindingList({ findings, empty, hasNames = false }: FindingListProps) {
  if (findings.length === 0) return <p className={styles.muted}>{empty}</p>
  return (
    <ul className={styles.list}>
      {findings.map((finding) => (
        <li key={`${finding.user.id} ${finding.rule}`}>
          {hasNames && <b>{finding.user.display_name || finding.user.username}: </b>}
          {collectorWords[finding.collector]}, {evidenceInWords(finding)}.{' '}
          <span className={styles.muted}>
            Rule {finding.rule + 1}: {actionName(finding.action)}.
          </span>
        </li>
      ))}
    </ul>
  )
}

/** "9 of 12 (75%)", or the effect where it is no share. */
function evidenceInWords({ collector, evidence }: Finding): string {
  const { n, share } = evidence
  if (typeof n !== 'number' || typeof share !== 'number') return 'as its figures show'
  if (collector === 'position_bias') return `V ${share.toFixed(2)} over ${n}`
  return `${Math.round(share * n)} of ${n} (${formatShare(share)})`
}
