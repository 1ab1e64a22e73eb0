import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { StateLook } from '../state/quality-words'
import styles from './state-badge.module.css'

/** The status of a person, a test question or a version: a sign and a word, in colours that no answer has. */
export const StateBadge = ({ look: { name, icon, weight } }: { look: StateLook }) => (
  <span className={cx(styles.badge, styles[weight])}>
    {icon && <Icon name={icon} size={13} strokeWidth={2.2} />}
    {name}
  </span>
)
