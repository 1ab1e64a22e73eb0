import { LabelBadge } from '@/components/ui/badge'
import type { PersonFigures, PositionTest } from '@/lib/api/figures'
import { formatCount, formatDecimal, formatShare, formatTwoFigures } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { labels } from './confusion-table'
import styles from './person-page.module.css'

/** How often each answer was given. */
export function LabelMix({ mix }: { mix: PersonFigures['label_mix'] }) {
  const rows = labels.map((label) => ({ label, n: mix[label] ?? 0 }))
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  return (
    <dl className={styles.mix} aria-label={t.labelMix}>
      {rows.map(({ label, n }) => (
        <div key={label}>
          <dt>
            <LabelBadge label={label} />
          </dt>
          <dd>
            <span
              className={styles.mixBar}
              aria-hidden="true"
              style={{ inlineSize: `${total === 0 ? 0 : (n / total) * 60}%` }}
            />
            {total === 0 ? '—' : formatShare(n / total)} <small>{formatCount(n)}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The tests of habits, each as a sentence with its figures and what chance would give. */
export function Habits({ figures }: { figures: PersonFigures }) {
  const { straight_lining: lines, option_position: buttons, item_position: places } = figures
  return (
    <ul className={styles.habits}>
      <li>
        <b>{t.flagLines}</b>{' '}
        {lines.n_hits > 0
          ? `${t.linesWords({ k: lines.n_uniform, n: lines.n_hits, expected: formatDecimal(lines.expected, 1) })} ${chance(lines.p_value)}`
          : t.tooFewAnswers}
      </li>
      <li>
        <b>{t.buttonsTest}</b> {biasInWords(buttons)}
      </li>
      <li>
        <b>{t.placesTest}</b> {biasInWords(places)}
      </li>
    </ul>
  )
}

const clear = 0.001

/** "p = 0.31: compatible with chance", or the other thing. */
function chance(p: number | null): string {
  if (p === null) return ''
  const said = p < clear ? '< 0.001' : `= ${formatTwoFigures(p)}`
  return p < clear ? t.notChance({ p: said }) : t.byChance({ p: said })
}

function biasInWords(bias: PositionTest): string {
  if (bias.p_value === null) return t.tooFewAnswers
  return `${t.biasWords({ effect: formatDecimal(bias.effect, 2), n: bias.n })} ${chance(bias.p_value)}`
}
