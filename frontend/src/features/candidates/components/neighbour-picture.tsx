import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import styles from './candidate-row.module.css'

/** The picture that lent a caption, small and fetched when it comes near the window; a plain sign where none did. */
export function NeighbourPicture({ slug, candidate }: { slug: string; candidate: Candidate }) {
  const [isGone, setGone] = useState(false)
  if (candidate.source !== 'corpus' || candidate.similarity === null || isGone) {
    return (
      <span className={styles.noPicture}>
        <Icon name="image" size={20} strokeWidth={1.2} />
      </span>
    )
  }
  return (
    <img
      className={styles.picture}
      src={`/api/v1/projects/${slug}/candidates/${candidate.id}/neighbour`}
      alt={t.writtenFor}
      width={64}
      height={64}
      loading="lazy"
      decoding="async"
      onError={() => setGone(true)}
    />
  )
}
