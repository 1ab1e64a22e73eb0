import { useState } from 'react'
import { Button } from '@/components/ui/button'
import caps from '@/components/ui/key-cap.module.css'
import { useLiveActions } from '@/lib/actions/action-context'
import { keyCap } from '@/lib/actions/keys'
import { Sentence } from '@/lib/language/sentence'
import { useProgress } from '@/lib/project/get-progress'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/first-steps'
import { hasReadFirstSteps, readFirstSteps } from '../state/first-steps'
import styles from './first-steps.module.css'

const answers = ['judge.good', 'judge.bad', 'judge.unsure']

/** One line for a person who has not submitted anything here: how to answer. It goes for good when it is read. */
export function FirstSteps({ slug }: { slug: string }) {
  const user = useMe()?.username
  const progress = useProgress(slug).data
  const [isRead, setRead] = useState(false)
  if (!user || !progress || progress.mine.submitted_total > 0 || isRead || hasReadFirstSteps(user)) return null
  const close = () => {
    readFirstSteps(user)
    setRead(true)
  }
  return (
    <div className={styles.steps}>
      <p className={styles.byKeys}>
        <ByKeys />
      </p>
      <p className={styles.byTouch}>{t.byTouch}</p>
      <Button size="small" preventFocusOnPress onPress={close}>
        {t.gotIt}
      </Button>
    </div>
  )
}

/** The keys as this person has set them. */
function ByKeys() {
  const actions = useLiveActions()
  const keyOf = (id: string) => actions.find((action) => action.id === id)?.keys[0]
  const keys = (ids: readonly string[]) => (
    <span className={styles.keys}>
      {ids.map((id) => {
        const key = keyOf(id)
        return (
          key && (
            <kbd key={id} className={caps.cap}>
              {keyCap(key)}
            </kbd>
          )
        )
      })}
    </span>
  )
  return (
    <Sentence of={t.byKeys} parts={{ keys: keys(answers), undo: keys(['judge.undo']), help: keys(['help.open']) }} />
  )
}
