import { useMemo } from 'react'
import { t } from '@/messages/candidates'
import { printable } from '../state/printable'
import { type Piece, wordDiff } from '../state/word-diff'
import { CaptionText } from './caption-text'
import styles from './caption-text.module.css'

/** A text before and after in one line: words that went are struck out, words that came are underlined. */
export function WordChanges({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => wordDiff(before, after), [before, after])
  if (!pieces) return <TooDifferent before={before} after={after} />
  return (
    <p className={styles.text} dir="auto">
      <bdi>
        {pieces.map((piece, place) => (
          <PieceView key={place} piece={piece} />
        ))}
      </bdi>
    </p>
  )
}

function PieceView({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === 'same') return <>{printable(text)}</>
  // White space that went or came would not be seen.
  const shown = text.trim() === '' ? '␣'.repeat(Math.min(text.length, 9)) : printable(text)
  return kind === 'removed' ? (
    <del className={styles.removed}>{shown}</del>
  ) : (
    <ins className={styles.added}>{shown}</ins>
  )
}

function TooDifferent({ before, after }: { before: string; after: string }) {
  return (
    <>
      <CaptionText text={before} />
      <p>{t.became}</p>
      <CaptionText text={after} />
    </>
  )
}
