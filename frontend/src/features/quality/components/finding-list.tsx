import type { AnnotatorDetail } from '@/lib/api/served'
import { formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { actionName, collectorName } from '../state/rules'
import styles from './standing-form.module.css'

type Finding = AnnotatorDetail['findings'][number]

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
          {collectorName(finding.collector)}, {evidenceInWords(finding)}.{' '}
          <span className={styles.muted}>
            {t.ruleAction({ rule: finding.rule + 1, action: actionName(finding.action) })}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** "9 of 12 (75%)", or the effect where it is no share. */
function evidenceInWords({ collector, evidence }: Finding): string {
  const { n, share } = evidence
  if (typeof n !== 'number' || typeof share !== 'number') return t.asFiguresShow
  if (collector === 'position_bias') return t.effectOver({ share: formatDecimal(share, 2), n })
  return t.shareOf({ share: Math.round(share * n), n, share2: formatShare(share) })
}
