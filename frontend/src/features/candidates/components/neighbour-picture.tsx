import { useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icon'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import styles from './candidate-row.module.css'

/** What a source without pictures has in their place. */
const signs: Partial<Record<string, IconName>> = { human: 'person', web: 'link' }

/** The picture that lent a caption, small and fetched when it comes near the window; a sign of its source where none did. */
export function NeighbourPicture({ slug, candidate }: { slug: string; candidate: Candidate }) {
  const [isGone, setGone] = useState(false)
  if (candidate.source !== 'corpus' || candidate.similarity === null || isGone) {
    return (
      <span className={styles.noPicture}>
        <Icon name={signs[candidate.source] ?? 'image'} size={20} strokeWidth={1.2} />
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
