import { ActionButton } from '@/components/ui/action-button'
import { LinkButton } from '@/components/ui/link-button'
import { EmptyState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { t } from '@/messages/annotate'
import { holdActions } from '../hold-actions'
import { useArrival } from '../state/use-arrival'
import styles from './annotate-page.module.css'

/** In place of a HIT that another tab works on. */
export function OpenElsewhere({ onTakeOver }: { onTakeOver: () => void }) {
  useArrival(`${t.openElsewhere}. ${t.openElsewhereWords}`)
  useActions(holdActions, { 'hit.take-over': onTakeOver })
  return (
    <main>
      <EmptyState
        isPage
        title={t.openElsewhere}
        icon="image"
        action={
          <div className={styles.ways}>
            <ActionButton id="hit.take-over" variant="primary" showsKey />
            <LinkButton to="/">{t.goToProjects}</LinkButton>
          </div>
        }
      >
        <p>{t.openElsewhereWords}</p>
      </EmptyState>
    </main>
  )
}
