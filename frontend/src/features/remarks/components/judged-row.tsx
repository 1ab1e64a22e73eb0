import { ActiveRow } from '@/components/ui/active-row'
import { Badge, LabelBadge, labelLooks } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Note, PairPicture, PairWords, Said } from '@/components/ui/remark-words'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Label } from '@/lib/api/contract'
import type { Judged } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/remarks'
import { pictureAlt } from '../state/picture-alt'
import styles from './remarks.module.css'

export interface JudgedRowProps {
  row: Judged
  index: number
  isActive: boolean
  onWrite: () => void
}

/**
 * One judgment beside the votes of the others; a hidden control says why it takes no remark. What others said of a
 * control is no vote on a pair and not told here.
 */
export function JudgedRow({ row, index, isActive, onWrite }: JudgedRowProps) {
  const { item, judged_at, others, remark, is_control } = row
  return (
    <ActiveRow className={styles.row} index={index} isActive={isActive}>
      <PairPicture pair={row} alt={pictureAlt} />
      <div className={styles.words}>
        <PairWords pair={row} />
        <Said>
          {item.label && <LabelBadge label={item.label} />}
          {is_control && <Badge tone="accent">{t.isControl}</Badge>}
          {!is_control && <span>{votesInWords(others)}</span>}
          <RelativeTime at={judged_at} />
        </Said>
        {item.comment && <Note>{item.comment}</Note>}
      </div>
      {is_control ? (
        <Note className={styles.deed}>{t.whyNot}</Note>
      ) : (
        <WriteButton isActive={isActive} isAgain={remark !== null} onPress={onWrite} />
      )}
    </ActiveRow>
  )
}

const labels: readonly Label[] = ['good', 'bad', 'unsure']

function votesInWords(others: Judged['others']): string {
  const given = labels.filter((label) => others[label] > 0)
  if (given.length === 0) return t.noOthers
  return t.others({ votes: given.map((label) => `${formatCount(others[label])} ${labelLooks[label].word}`).join(', ') })
}

function WriteButton({ isActive, isAgain, onPress }: { isActive: boolean; isAgain: boolean; onPress: () => void }) {
  const { label, keys } = useAction('remark.write') ?? { label: '', keys: [] }
  return (
    <Button
      size="small"
      shortcut={keys[0]}
      isShortcutIdle={!isActive}
      keyShortcuts={isActive ? ariaShortcuts(keys) : undefined}
      className={styles.deed ?? ''}
      onPress={onPress}
    >
      {isAgain ? t.writeAgain : label}
    </Button>
  )
}
