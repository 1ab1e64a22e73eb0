import { useCallback, useState } from 'react'
import { Button } from '@/components/ui/button'
import { KeyCap } from '@/components/ui/key-cap'
import { Notice } from '@/components/ui/notice'
import { type ActionSpec, withPreferredKeys } from '@/lib/actions/action'
import { keyCap } from '@/lib/actions/keys'
import { asApiError } from '@/lib/api/api-error'
import type { Me } from '@/lib/api/contract'
import { useUpdatePreferences } from '@/lib/session/update-preferences'
import { t } from '@/messages/people'
import { chooseKey, remappableOf } from '../state/choose-key'
import { useKeyCapture } from '../state/use-key-capture'
import styles from './settings.module.css'

/** One key per verb, chosen by pressing it; a key that means something already is refused in words. */
export function KeySettings({ me, actions }: { me: Me; actions: readonly ActionSpec[] }) {
  const { keys } = me.preferences
  const [listening, setListening] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { mutate, isPending } = useUpdatePreferences()

  const save = useCallback(
    (next: Record<string, string>) => {
      setListening(null)
      setRefusal(null)
      mutate({ ...me.preferences, keys: next }, { onError: (error) => setRefusal(asApiError(error).message) })
    },
    [me.preferences, mutate],
  )
  const choose = useCallback(
    (pressed: string) => {
      const choice = chooseKey(actions, keys, listening ?? '', pressed)
      if ('refusal' in choice) setRefusal(choice.refusal)
      else save(choice.keys)
    },
    [actions, keys, listening, save],
  )
  const giveUp = useCallback(() => setListening(null), [])
  useKeyCapture(listening !== null, choose, giveUp)
  const listen = (id: string) => {
    setRefusal(null)
    setListening(id)
  }

  return (
    <>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <ul className={styles.keys}>
        {remappableOf(withPreferredKeys(actions, keys)).map((action) => (
          <KeyLine
            key={action.id}
            action={action}
            isListening={listening === action.id}
            onListen={() => listen(action.id)}
            onGiveUp={giveUp}
          />
        ))}
      </ul>
      {Object.keys(keys).length > 0 && (
        <div>
          <Button icon="undo" isPending={isPending} onPress={() => save({})}>
            {t.restoreKeys}
          </Button>
        </div>
      )}
    </>
  )
}

interface KeyLineProps {
  action: ActionSpec
  isListening: boolean
  onListen: () => void
  onGiveUp: () => void
}

function KeyLine({ action, isListening, onListen, onGiveUp }: KeyLineProps) {
  const [first] = action.keys
  return (
    <li className={styles.keyLine}>
      <span>{action.name}</span>
      {isListening ? (
        <span role="status" className={styles.listening}>
          {t.pressKey}
        </span>
      ) : (
        first && (
          <span>
            <span className="visually-hidden">{keyCap(first)}</span>
            <KeyCap keyName={first} />
          </span>
        )
      )}
      <Button
        size="small"
        variant="quiet"
        aria-label={t.changeKeyOf({ name: action.name })}
        onPress={isListening ? onGiveUp : onListen}
        onBlur={onGiveUp}
      >
        {isListening ? t.leaveIt : t.change}
      </Button>
    </li>
  )
}
