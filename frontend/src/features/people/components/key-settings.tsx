import { useCallback, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { KeyCap } from '@/components/ui/key-cap'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { type ActionSpec, type PageOfActions, withPreferredKeys } from '@/lib/actions/action'
import { findKeys } from '@/lib/actions/find-keys'
import { keyCap } from '@/lib/actions/keys'
import { asApiError } from '@/lib/api/api-error'
import type { Me } from '@/lib/api/contract'
import { useUpdatePreferences } from '@/lib/session/update-preferences'
import { t } from '@/messages/people'
import { chooseKey, type KeyChoice, restoreKey } from '../state/choose-key'
import { useKeyCapture } from '../state/use-key-capture'
import styles from './settings.module.css'

/** Every verb by its page, with one key that a person may choose by pressing it; a key in use is refused in words. */
export function KeySettings({ me, pages }: { me: Me; pages: readonly PageOfActions[] }) {
  const { keys } = me.preferences
  const actions = useMemo(() => pages.flatMap((page) => page.actions), [pages])
  const [listening, setListening] = useState<string | null>(null)
  const [sought, setSought] = useState('')
  const { refusal, refuse, settle, restoreAll, isPending } = useKeys(me)
  const choose = useCallback(
    (pressed: readonly string[]) => {
      const choice = chooseKey(actions, keys, listening ?? '', pressed)
      settle(choice)
      const isLeft = pressed[0] === 'Escape' || pressed[0] === 'Tab'
      if (isLeft || 'keys' in choice) setListening(null)
    },
    [actions, keys, listening, settle],
  )
  useKeyCapture(listening !== null, choose)
  const listen = (id: string | null) => {
    if (id) refuse(null)
    setListening(id)
  }
  const line = (action: ActionSpec) => (
    <KeyLine
      key={action.id}
      action={action}
      isOwn={keys[action.id] !== undefined}
      isListening={listening === action.id}
      onListen={listen}
      onRestore={() => settle(restoreKey(actions, keys, action.id))}
    />
  )
  const found = findKeys(
    pages.map(({ page, actions: verbs }) => ({ page, actions: withPreferredKeys(verbs, keys) })),
    sought,
  )
  return (
    <>
      <div className={styles.form}>
        <TextField label={t.findKey} type="search" value={sought} onChange={setSought} />
      </div>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {found.length === 0 && <p className={styles.note}>{t.noSuchKey}</p>}
      {found.map(({ page, actions: verbs }) => (
        <section key={page} className={styles.keyPage}>
          <h3>{page}</h3>
          <ul className={styles.keys}>{verbs.map(line)}</ul>
        </section>
      ))}
      {Object.keys(keys).length > 0 && (
        <div>
          <Button icon="undo" isPending={isPending} onPress={restoreAll}>
            {t.restoreKeys}
          </Button>
        </div>
      )}
    </>
  )
}

/** Keeps what was chosen, and the sentence against what could not be. */
function useKeys(me: Me) {
  const [refusal, refuse] = useState<string | null>(null)
  const { mutate, isPending } = useUpdatePreferences()
  const save = useCallback(
    (next: Record<string, string>) => {
      refuse(null)
      mutate({ ...me.preferences, keys: next }, { onError: (error) => refuse(asApiError(error).message) })
    },
    [me.preferences, mutate],
  )
  const settle = useCallback(
    (choice: KeyChoice) => ('refusal' in choice ? refuse(choice.refusal) : save(choice.keys)),
    [save],
  )
  return { refusal, refuse, settle, restoreAll: () => save({}), isPending }
}

interface KeyLineProps {
  action: ActionSpec
  /** Whether the person has chosen its key. */
  isOwn: boolean
  isListening: boolean
  onListen: (id: string | null) => void
  onRestore: () => void
}

function KeyLine({ action, isOwn, isListening, onListen, onRestore }: KeyLineProps) {
  return (
    <li className={styles.keyLine}>
      <span>{action.name}</span>
      {isListening ? (
        <span role="status" className={styles.listening}>
          {t.pressKey}
        </span>
      ) : (
        <span className={styles.caps}>
          <span className="visually-hidden">{action.keys.map(keyCap).join(', ') || t.noKey}</span>
          {action.keys.map((key) => (
            <KeyCap key={key} keyName={key} />
          ))}
        </span>
      )}
      <span className={styles.keyDeeds}>
        {isOwn && !isListening && (
          <Button size="small" variant="quiet" aria-label={t.restoreKeyOf({ name: action.name })} onPress={onRestore}>
            {t.restore}
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          aria-label={t.changeKeyOf({ name: action.name })}
          onPress={() => onListen(isListening ? null : action.id)}
          onBlur={() => {
            if (isListening) onListen(null)
          }}
        >
          {isListening ? t.leaveIt : t.change}
        </Button>
      </span>
    </li>
  )
}
