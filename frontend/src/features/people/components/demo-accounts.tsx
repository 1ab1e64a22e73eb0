import { Button } from '@/components/ui/button'
import type { Role } from '@/lib/api/contract'
import { t } from '@/messages/people'
import styles from './demo-accounts.module.css'

const labels: Record<Role, string> = {
  curator: t.lookAsCurator,
  head_annotator: t.lookAsHead,
  annotator: t.lookAsAnnotator,
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
      {roles.map((role) => (
        <Button
          key={role}
          variant="primary"
          size="large"
          isPending={opening === role}
          isDisabled={opening !== undefined && opening !== role}
          onPress={() => onChoose(role)}
        >
          {labels[role]}
        </Button>
      ))}
      <p className={styles.orElse}>{t.orYourAccount}</p>
    </section>
  )
}
