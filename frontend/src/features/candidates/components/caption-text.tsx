import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { isLong, printable, shortened } from '../state/printable'
import styles from './caption-text.module.css'

/** A caption as text, whatever stands in it: isolated in its own direction, cut where it is very long. */
export function CaptionText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <div className={styles.caption}>
      <p className={styles.text} dir="auto">
        <bdi>{printable(isWhole ? text : shortened(text))}</bdi>
      </p>
      {isLong(text) && (
        <Button size="small" variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show more'}
        </Button>
      )}
    </div>
  )
}
