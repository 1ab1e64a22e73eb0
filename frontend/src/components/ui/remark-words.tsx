import type { ReactNode } from 'react'
import type { Label } from '@/lib/api/contract'
import type { Judged, RemarkRow } from '@/lib/api/served'
import { t } from '@/messages/judging'
import { LabelBadge } from './badge'
import { cx } from './cx'
import { EditedCaption } from './edited-caption'
import { RelativeTime } from './relative-time'
import styles from './remark-words.module.css'

export type JudgedPair = Pick<Judged | RemarkRow, 'image' | 'query' | 'item'>

export interface PairPictureProps {
  pair: JudgedPair
  /** Said of the photograph that captions were judged by, and of a photograph that was judged itself. */
  alt: { ofCaptions: string; judged: string }
  /** As large as its place allows, where it is what one looks at. */
  isLarge?: boolean
}

/** The picture that was judged, or that the captions were judged by. */
export function PairPicture({ pair: { image, item }, alt, isLarge = false }: PairPictureProps) {
  const shown = (image ?? item.image)?.thumbnail[isLarge ? 'large' : 'small']
  if (!shown) return null
  return (
    <img
      className={cx(styles.picture, isLarge && styles.large)}
      src={shown.url}
      alt={image ? alt.ofCaptions : alt.judged}
      width={shown.width}
      height={shown.height}
      loading="lazy"
    />
  )
}

/** The caption as the person left it, or the query that the picture was judged for. */
export function PairWords({ pair: { query, item } }: { pair: JudgedPair }) {
  if (query) return <Note>{t.forQuery({ query: query.text })}</Note>
  return (
    <p className={styles.caption} lang="en" dir="auto">
      <EditedCaption text={item.text ?? ''} edits={item.edits} />
    </p>
  )
}

/** A line of badges and short words. */
export const Said = ({ children }: { children: ReactNode }) => <p className={styles.said}>{children}</p>

export function Note({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <p className={cx(styles.note, className)} dir="auto">
      {children}
    </p>
  )
}

export interface TurnProps {
  name: string
  at: string
  text: string
  /** Which label would be right, if that was said. */
  label?: Label | null
  badge?: ReactNode
}

/** Who wrote what and when. */
export function Turn({ name, at, text, label, badge }: TurnProps) {
  return (
    <div className={styles.turn}>
      <p className={styles.who}>
        <b dir="auto">{name}</b> <RelativeTime at={at} /> {badge}
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {label && (
        <Said>
          {t.wouldBe} <LabelBadge label={label} />
        </Said>
      )}
    </div>
  )
}
