import { useEffect } from 'react'
import { t } from '@/messages/common'
import { Button } from './button'
import styles from './list-foot.module.css'

/** What is known of the page of a list that comes next. */
export interface NextPage {
  has: boolean
  isFetching: boolean
  hasFailed: boolean
}

export interface ListFootProps {
  /** What the list is of, in the plural: "captions". */
  what: string
  next: NextPage
  onMore: () => void
}

/** The foot of an endlessly scrolled list: quiet, but while the next page comes and where it could not be had. */
export function ListFoot({ what, next, onMore }: ListFootProps) {
  return (
    <div className={styles.foot} role="status">
      {next.isFetching && t.fetchingMore({ what })}
      {next.hasFailed && !next.isFetching && (
        <>
          <p>{t.noMore({ what })}</p>
          <Button size="small" onPress={onMore}>
            {t.tryAgain}
          </Button>
        </>
      )}
    </div>
  )
}

/** Asks for the next page when the end of the list comes near; one that failed is left to the foot's button. */
export function useMoreNearEnd(isNearEnd: boolean, next: NextPage, onMore: () => void): void {
  const isWanted = isNearEnd && next.has && !next.isFetching && !next.hasFailed
  useEffect(() => {
    if (isWanted) onMore()
  }, [isWanted, onMore])
}
