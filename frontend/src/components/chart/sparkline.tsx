import styles from './sparkline.module.css'

export interface SparklineProps {
  /** What the line says, for screen readers and on hover. */
  label: string
  /** Shares from 0 to 1, oldest first; null leaves a gap. */
  values: readonly (number | null)[]
  /** The shares at the foot and the top, the same for every line of a table. */
  domain?: readonly [number, number]
}

const width = 72
const height = 20

/** A line as small as a word, without axes: only its course is read. Charts with axes are `Chart`. */
export function Sparkline({ label, values, domain = [0, 1] }: SparklineProps) {
  const x = (at: number) => 3 + ((width - 6) * at) / Math.max(1, values.length - 1)
  const [least, most] = domain
  const y = (value: number) => height - 3 - ((height - 6) * (value - least)) / (most - least || 1)
  const points = values.flatMap((value, at) => (value === null ? [] : [`${x(at)} ${y(value)}`]))
  const last = points.at(-1)?.split(' ')
  return (
    <svg
      className={styles.line}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={`M0 ${height - 1}H${width}`} className={styles.middle} />
      {points.length > 1 && <path d={`M${points.join('L')}`} />}
      {last && <circle cx={last[0]} cy={last[1]} r={2.2} />}
    </svg>
  )
}
