import { Button } from '@/components/ui/button'
import type { Role } from '@/lib/api/contract'
import { t } from '@/messages/people'
import styles from './demo-accounts.module.css'

const labels: Record<Role, string> = {
  curator: t.lookAsCurator,
  head_annotator: t.lookAsHead,
  annotator: t.lookAsAnnotator,
}

/** What each of them can do. */
const prospects: Record<Role, string> = {
  curator: t.demoCurator,
  head_annotator: t.demoHead,
  annotator: t.demoAnnotator,
}

interface DemoAccountsProps {
  roles: readonly Role[]
  /** The account that is being opened. */
  opening: Role | undefined
  onChoose: (role: Role) => void
}

/** The accounts of a site in demo mode: one click opens one. */
export function DemoAccounts({ roles, opening, onChoose }: DemoAccountsProps) {
  return (
    <section className={styles.accounts} aria-label={t.demoAccounts}>
      <p>{t.demoNote}</p>
      <ul className={styles.roles}>
        {roles.map((role, at) => (
          <li key={role}>
            <Button
              variant={at === 0 ? 'primary' : 'secondary'}
              size="large"
              aria-describedby={`demo-${role}`}
              isPending={opening === role}
              isDisabled={opening !== undefined && opening !== role}
              onPress={() => onChoose(role)}
            >
              {labels[role]}
            </Button>
            <p id={`demo-${role}`} className={styles.can}>
              {prospects[role]}
            </p>
          </li>
        ))}
      </ul>
      <p className={styles.orElse}>{t.orYourAccount}</p>
    </section>
  )
}
