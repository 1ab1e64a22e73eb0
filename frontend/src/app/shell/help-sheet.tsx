import { Link } from '@tanstack/react-router'
import { Drawer } from '@/components/ui/dialog'
import { KeyCap } from '@/components/ui/key-cap'
import type { Action } from '@/lib/actions/action'
import { useLiveActions } from '@/lib/actions/action-context'
import { t as part } from '@/messages/keys'
import { t as said } from '@/messages/navigation'
import { t } from '@/messages/shell'
import styles from './help-sheet.module.css'

/** The keys of a page by what they are for: each belongs to the first part that fits its name. */
const parts = [
  { title: part.answer, has: /^(judge|hit)\./ },
  { title: part.details, has: /^caption\.(edit|lens|generic|comment)/ },
  { title: part.move, has: /^caption\./ },
  { title: part.look, has: /^photo\./ },
  { title: t.onThisPage, has: /./ },
]

const partOf = ({ id }: Action) => parts.find(({ has }) => has.test(id))

/** The keys that work on this page. They come from the registry, so the list is always right. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const withKeys = useLiveActions().filter((action) => action.keys.length > 0)
  const onThisPage = withKeys.filter((action) => action.scope !== 'global')
  const everywhere = withKeys.filter((action) => action.scope === 'global')
  return (
    <Drawer title={t.keys} isOpen onClose={onClose}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- With the focus here, the keyboard scrolls the list. */}
      <div tabIndex={0} role="group" aria-label={t.keys}>
        <p className={styles.all}>
          <Link to="/help" onClick={onClose}>
            {said.allHelp}
          </Link>
        </p>
        {parts.map((each) => (
          <KeyList key={each.title} title={each.title} actions={onThisPage.filter((action) => partOf(action) === each)} />
        ))}
        <KeyList title={t.everywhere} actions={everywhere} />
        <p className={styles.note}>{t.keysNote}</p>
      </div>
    </Drawer>
  )
}

function KeyList({ title, actions }: { title: string; actions: readonly Action[] }) {
  if (actions.length === 0) return null
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <dl>
        {actions.map((action) => (
          <div key={action.id} className={styles.line}>
            <dt>{action.name}</dt>
            <dd className={styles.caps}>
              {action.keys.map((key) => (
                <KeyCap key={key} keyName={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
