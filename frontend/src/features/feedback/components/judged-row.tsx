import { FeedbackComposer } from '@/components/feedback-composer/feedback-composer'
import { ActiveRow } from '@/components/ui/active-row'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { type LabelLooks, useLabelLooks } from '@/components/ui/label-looks'
import { RelativeTime } from '@/components/ui/relative-time'
import { Note, PairPicture, PairWords, Said } from '@/components/ui/remark-words'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Label, Project } from '@/lib/api/contract'
import type { Judged } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/remarks'
import { pictureAlt } from '../state/picture-alt'
import styles from './remarks.module.css'

export interface JudgedRowProps {
  project: Project
  row: Judged
  index: number
  isActive: boolean
  isTicked: boolean
  isWriting: boolean
  onTick: () => void
  onWrite: () => void
  onClose: () => void
}

/**
 * One answer beside the votes of the others, the consensus and the decision; feedback is written under it. A hidden
 * control says why it takes none. What others said of a control is no vote on a pair and not told here.
 */
export function JudgedRow(props: JudgedRowProps) {
  const { project, row, index, isActive, isTicked, isWriting, onTick, onWrite, onClose } = props
  const looks = useLabelLooks()
  const { id, item, judged_at, others, remark, is_control, annotator } = row
  return (
    <ActiveRow className={isWriting ? styles.writing : styles.row} index={index} isActive={isActive}>
      <PairPicture pair={row} alt={pictureAlt} isLarge={isWriting} />
      <div className={styles.words}>
        <PairWords pair={row} />
        <Said>
          {item.label && <LabelBadge label={item.label} />}
          {is_control && <Badge tone="accent">{t.isControl}</Badge>}
          {!is_control && <span>{votesInWords(others, looks)}</span>}
          <RelativeTime at={judged_at} />
        </Said>
        <Above row={row} />
        {item.comment && <Note>{item.comment}</Note>}
      </div>
      {is_control && <Note className={styles.deed}>{t.whyNot}</Note>}
      {!is_control && !isWriting && (
        <div className={styles.rowDeeds}>
          <WriteButton isActive={isActive} isAgain={remark !== null} onPress={onWrite} />
          <CheckField label={t.tick} isSelected={isTicked} onChange={onTick} />
        </div>
      )}
      {isWriting && (
        <div className={styles.under}>
          <FeedbackComposer
            slug={project.slug}
            name={annotator.name}
            about={{ judgment: id }}
            same={item.label ? { n: others[item.label] + 1, label: item.label } : undefined}
            isCurator={project.role === 'curator'}
            onSent={onClose}
            onClose={onClose}
          />
        </div>
      )}
    </ActiveRow>
  )
}

/** The labels above the votes: the consensus, and the decision of a head annotator. */
function Above({ row: { consensus, verdict } }: { row: Judged }) {
  if (!consensus && !verdict) return null
  return (
    <Said>
      {consensus && (
        <>
          {t.consensus} <LabelBadge label={consensus} />
        </>
      )}
      {verdict && (
        <>
          {t.decision} <LabelBadge label={verdict} />
        </>
      )}
    </Said>
  )
}

const labels: readonly Label[] = ['good', 'bad', 'unsure']

function votesInWords(others: Judged['others'], looks: LabelLooks): string {
  const given = labels.filter((label) => others[label] > 0)
  if (given.length === 0) return t.noOthers
  return t.others({ votes: given.map((label) => `${formatCount(others[label])} ${looks[label].word}`).join(', ') })
}

function WriteButton({ isActive, isAgain, onPress }: { isActive: boolean; isAgain: boolean; onPress: () => void }) {
  const { label, keys } = useAction('remark.write') ?? { label: '', keys: [] }
  return (
    <Button
      size="small"
      shortcut={isActive ? keys[0] : undefined}
      keyShortcuts={isActive ? ariaShortcuts(keys) : undefined}
      className={styles.deed ?? ''}
      onPress={onPress}
    >
      {isAgain ? t.writeAgain : label}
    </Button>
  )
}
