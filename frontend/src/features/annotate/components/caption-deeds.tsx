import { ActionButton } from '@/components/ui/action-button'
import { t } from '@/messages/annotate'
import styles from './caption-list.module.css'

/** What can be said of the open pair besides its label. A caption of a query is not the person's to repair. */
export function CaptionDeeds({ isCaption, isGeneric }: { isCaption: boolean; isGeneric: boolean }) {
  return (
    <div className={styles.deeds} role="group" aria-label={t.sayMore}>
      {isCaption && <ActionButton id="caption.edit" variant="quiet" size="small" showsKey />}
      <ActionButton id="caption.lens" variant="quiet" size="small" showsKey />
      {isCaption && (
        <ActionButton id="caption.generic" variant="quiet" size="small" showsKey aria-pressed={isGeneric} />
      )}
      <ActionButton id="caption.comment" variant="quiet" size="small" showsKey />
    </div>
  )
}
