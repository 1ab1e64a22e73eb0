import { useObserved } from '@/lib/observed'
import { t } from '@/messages/common'
import { IconButton } from './button'
import { cx } from './cx'
import { dismissToast, toastStore } from './toast-store'
import styles from './toast.module.css'

/** The place where toasts appear; read out politely, beside an open dialog as well. */
export function ToastRegion() {
  const toasts = useObserved(toastStore)
  return (
    <div className={styles.region} role="status" aria-live="polite" data-react-aria-top-layer="true">
      {toasts.map((toast) => (
        <div key={toast.id} className={cx(styles.toast, toast.tone === 'bad' && styles.bad)}>
          <span>{toast.text}</span>
          <IconButton icon="cross" aria-label={t.dismiss} onPress={() => dismissToast(toast.id)} />
        </div>
      ))}
    </div>
  )
}
