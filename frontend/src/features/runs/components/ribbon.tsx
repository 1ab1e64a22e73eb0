import type { Phase } from '../state/phases'
import styles from './ribbon.module.css'

const thickest = 56
const thinnest = 5
const middle = 34
const end = 100

const thickness = (share: number): number => (share > 0 ? Math.max(thinnest, share * thickest) : 2)

/**
 * The band through one phase, as wide as what comes in and what goes out, and a branch for what is removed. The figures
 * stand in words beside it.
 */
export function Ribbon({ phase, isVertical = false }: { phase: Phase; isVertical?: boolean }) {
  const { from, to, lost, share } = phase
  const at = (along: number, across: number) => (isVertical ? `${across} ${along}` : `${along} ${across}`)
  const band = (start: number, stop: number, wide: (place: 'in' | 'out') => readonly [number, number]) => {
    const [inTop, inBottom] = wide('in')
    const [outTop, outBottom] = wide('out')
    const bend = start + (stop - start) / 2
    return [
      `M ${at(start, inTop)}`,
      `C ${at(bend, inTop)} ${at(bend, outTop)} ${at(stop, outTop)}`,
      `L ${at(stop, outBottom)}`,
      `C ${at(bend, outBottom)} ${at(bend, inBottom)} ${at(start, inBottom)} Z`,
    ].join(' ')
  }
  const edges = (place: 'in' | 'out') => {
    const half = thickness(place === 'in' ? from : to) / 2
    return [middle - half, middle + half] as const
  }
  const isDry = to === 0
  const foot = edges('out')[1]
  const drop = Math.min(14, Math.max(2, lost * thickest))
  return (
    <svg
      className={isVertical ? styles.vertical : styles.ribbon}
      viewBox={`0 0 ${end} ${end}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {lost > 0 && (
        <path
          className={styles.drop}
          d={[
            `M ${at(56, foot - 1)}`,
            `C ${at(70, foot)} ${at(74, foot + 10)} ${at(74, end)}`,
            `L ${at(74 - drop, end)}`,
            `C ${at(74 - drop, foot + 12)} ${at(64, foot)} ${at(48, foot - 1)} Z`,
          ].join(' ')}
        />
      )}
      <path className={isDry ? styles.dry : styles.flow} d={band(0, end, edges)} />
      {!isDry && share < 1 && <path className={styles.open} d={band(end * share, end, edges)} />}
    </svg>
  )
}
