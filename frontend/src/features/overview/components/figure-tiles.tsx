import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Role } from '@/lib/api/contract'
import type { Overview } from '@/lib/api/served'
import { formatDay } from '@/lib/format/day'
import { formatCount, formatDecimal, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import { formatAlpha, formatMoney } from '../state/words'
import styles from './overview-page.module.css'

interface Props {
  slug: string
  role: Role
  overview: Overview
  words: Words
}

const forecast = { tab: 'forecast' }
const ofAgreement = { tab: 'agreement' }

/** The figures that matter, in the order: how far, how good, what next. */
export function FigureTiles({ slug, role, overview, words }: Props) {
  const { slots, slots_open: open, today, finish, agreement, waiting, budget, hours_left: hours, release } = overview
  const done = slots - open
  return (
    <dl className={styles.tiles}>
      <Tile
        name={t.done}
        to="/projects/$slug/quality"
        search={forecast}
        slug={slug}
        figure={formatWholeShare(done / slots)}
      >
        <ProgressBar label={t.assignmentsDone} value={done} max={slots} />
        {t.assignmentsOf({ done: formatCount(done), all: formatCount(slots) })}
      </Tile>
      <Tile
        name={t.finish}
        to="/projects/$slug/quality"
        search={forecast}
        slug={slug}
        figure={finish && open > 0 ? formatDay(finish.expected, today) : '—'}
      >
        {open === 0 ? t.allDone : finishWords(overview)}
        {hours && hours.mean > 0 && <div>{t.hoursLeft({ hours: formatDecimal(hours.mean, 1) })}</div>}
      </Tile>
      <Tile
        name={t.agreement}
        to="/projects/$slug/quality"
        search={ofAgreement}
        slug={slug}
        figure={agreement.value === null ? '—' : formatAlpha(agreement.value)}
      >
        {agreement.value === null
          ? words.noAgreement
          : agreement.low !== null &&
            agreement.high !== null &&
            t.boundsOf({ low: formatAlpha(agreement.low), high: formatAlpha(agreement.high) })}
      </Tile>
      <Tile name={words.disputes} to="/projects/$slug/review" slug={slug} figure={formatCount(waiting.disputes)}>
        {waiting.disputes > 0 ? t.disputesHint : waiting.open === 0 && t.disputesNone}
        {waiting.open > 0 && <div>{t.casesOpen({ n: waiting.open })}</div>}
        {waiting.replies > 0 && <div>{t.replies({ n: waiting.replies })}</div>}
      </Tile>
      <Tile
        name={t.budget}
        to={role === 'curator' && budget.spent === null ? '/projects/$slug/settings' : '/projects/$slug/quality'}
        {...(budget.spent !== null && { search: forecast })}
        slug={slug}
        figure={budget.spent === null ? '—' : formatMoney(budget.spent)}
      >
        {budget.left ? moneyLeft(budget.left) : t.noBudget}
      </Tile>
      <Tile
        name={t.release}
        to={release ? '/projects/$slug/releases/$releaseId' : '/projects/$slug/releases'}
        slug={slug}
        {...(release && { releaseId: release.id })}
        figure={release?.label ?? t.noRelease}
      >
        {release ? (
          <>
            {t.releaseHolds({
              images: t.imagesN({ n: release.n_images }),
              captions: t.captionsN({ n: release.n_captions }),
            })}
            <div>
              <RelativeTime at={release.created_at} />
            </div>
          </>
        ) : (
          t.noReleaseHint
        )}
      </Tile>
    </dl>
  )
}

function moneyLeft({ mean, low, high }: NonNullable<Overview['budget']['left']>): string {
  if (low === high) return t.budgetLeftExactly({ mean: formatMoney(mean) })
  return t.budgetLeft({ mean: formatMoney(mean), low: formatMoney(low), high: formatMoney(high) })
}

function finishWords({ finish, today }: Overview): string {
  if (!finish) return t.finishUnknown
  if (finish.earliest === finish.latest) return t.finishSure
  return t.finishBetween({ earliest: formatDay(finish.earliest, today), latest: formatDay(finish.latest, today) })
}

interface TileProps {
  name: string
  to:
    | '/projects/$slug/quality'
    | '/projects/$slug/review'
    | '/projects/$slug/settings'
    | '/projects/$slug/releases'
    | '/projects/$slug/releases/$releaseId'
  search?: { tab: string }
  slug: string
  releaseId?: string
  figure: string
  children: ReactNode
}

function Tile({ name, to, search, slug, releaseId = '', figure, children }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt>{name}</dt>
      <dd>
        <Link
          to={to}
          params={{ slug, releaseId }}
          {...(search && { search })}
          className={styles.number}
          aria-label={`${name}: ${figure}`}
        >
          {figure}
        </Link>
        <div className={styles.under}>{children}</div>
      </dd>
    </div>
  )
}
