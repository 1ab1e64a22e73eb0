import { Link } from '@tanstack/react-router'
import { formatCount } from '@/lib/format/numbers'
import { cx } from './cx'
import styles from './filter-chip.module.css'

export interface FilterLink {
  id: string
  label: string
  /** How many rows it leaves; left out while it is not known. */
  n?: number | undefined
  isOn: boolean
  /** The query of the link's address. */
  search: Record<string, unknown>
}

export interface FilterLinksProps {
  label: string
  links: readonly FilterLink[]
  className?: string | undefined
}

/** Filters of a page as chips, each a link: an address opens the page as it is. */
export function FilterLinks({ label, links, className }: FilterLinksProps) {
  return (
    <nav className={cx(styles.row, className)} aria-label={label}>
      {links.map(({ id, label: words, n, isOn, search }) => (
        <Link
          key={id}
          to="."
          search={search}
          replace
          resetScroll={false}
          className={cx(styles.chip, styles.link)}
          activeProps={{}}
          aria-current={isOn ? 'page' : undefined}
        >
          {words}
          {n !== undefined && (
            <>
              {' '}
              <small>{formatCount(n)}</small>
            </>
          )}
        </Link>
      ))}
    </nav>
  )
}
