import styles from './key-figures.module.css'

export interface KeyFigure {
  name: string
  value: string
  /** Beside the value and smaller, for example its interval. */
  detail?: string | null
}

/** The few large figures that a page begins with. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, detail }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} {detail && <small>{detail}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
