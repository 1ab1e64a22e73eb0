import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { AnnotatorRow, PersonFigures, ReviewedAnnotator, Share } from '@/lib/api/figures'
import { formatDuration } from '@/lib/format/duration'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { boundsOf } from '../state/agreement-words'
import { agreementOf } from '../state/annotator-list'
import { formatFigure } from '../state/figures'
import { isFlagged } from '../state/flag-words'
import styles from './person-page.module.css'

export interface PersonFactsProps {
  slug: string
  row: AnnotatorRow
  figures: PersonFigures | undefined
  reviewed: ReviewedAnnotator | undefined
}

/** The figures of one person; each says n and how it is made, and opens its answers. */
export function PersonFacts({ slug, row, figures, reviewed }: PersonFactsProps) {
  const rows = (children: ReactNode, search: Record<string, unknown> = {}) => (
    <Link
      to="/projects/$slug/quality/annotators/$annotatorId/answers"
      params={{ slug, annotatorId: String(row.user.id) }}
      search={search}
    >
      {children}
    </Link>
  )
  const seconds = figures?.seconds_median ?? row.seconds
  const kappa = figures?.kappa
  return (
    <dl className={styles.facts}>
      <ShareFact name={t.controlsPassed} of={row.passed} how={t.howControls} isLow={isFlagged(row.flags, 'passed')}>
        {rows(t.openAnswers)}
      </ShareFact>
      <ShareFact
        name={t.withMost}
        of={figures?.with_consensus ?? agreementOf(row)}
        how={t.howAgrees}
        isLow={isFlagged(row.flags, 'agreement')}
      >
        {rows(t.openOutvoted, { outvoted: 1 })}
      </ShareFact>
      {kappa?.value != null && (
        <Fact name={t.kappaWithOthers} value={formatFigure(kappa.value)} how={t.howKappaOfPerson}>
          {boundsOf(kappa)}, {t.nItems({ nItems: formatCount(kappa.n_items) })}
        </Fact>
      )}
      {reviewed && (
        <>
          <ShareFact name={t.withHead} of={reviewed.agreement_with_head} how={t.howWithHead} />
          <ShareFact name={t.firstPass} of={reviewed.first_pass_approved} how={t.howFirstPass} />
          <ShareFact name={t.rejected} of={reviewed.rejected} how={t.howRejected} />
        </>
      )}
      {figures?.pace != null && (
        <Fact name={t.pace} value={formatCount(Math.round(figures.pace))} how={t.howPace}>
          {t.judgmentsN({ n: figures.n_judgments })}
        </Fact>
      )}
      {figures && (
        <Fact name={t.activeTime} value={formatDuration(figures.active_seconds)} how={t.howActive}>
          {t.judgmentsN({ n: figures.n_judgments })}
        </Fact>
      )}
      {seconds !== null && (
        <Fact
          name={t.secondsEach}
          value={formatDecimal(seconds, 1)}
          how={t.howSeconds}
          isLow={isFlagged(row.flags, 'seconds')}
        >
          {t.medianWord}
        </Fact>
      )}
      <Fact name={t.skipped} value={formatCount(row.skips)} how={t.howSkipped}>
        {t.hitsN({ n: row.hits })}
      </Fact>
      <Fact name={t.late} value={formatCount(row.late)} how={t.howLate}>
        {t.hitsN({ n: row.hits })}
      </Fact>
    </dl>
  )
}

interface FactProps {
  name: string
  value: string
  /** How the figure is made. */
  how: string
  isLow?: boolean
  children?: ReactNode
}

function Fact({ name, value, how, isLow = false, children }: FactProps) {
  return (
    <div className={styles.fact} title={how}>
      <dt>{name}</dt>
      <dd className={cx(styles.value, isLow && styles.isLow)}>
        {isLow && <Icon name="alert" size={20} />}
        {value}
        {isLow && <span className="visually-hidden">, {t.isLow}</span>}
      </dd>
      <dd className={styles.from}>{children}</dd>
      <dd className="visually-hidden">{how}</dd>
    </div>
  )
}

interface ShareFactProps extends Omit<FactProps, 'value'> {
  of: Share | null | undefined
}

function ShareFact({ of: share, children, ...fact }: ShareFactProps) {
  if (!share)
    return (
      <Fact {...fact} value="—">
        {t.noneYet}
      </Fact>
    )
  const [low, high] = [Math.round(share.low * 100), Math.round(share.high * 100)]
  return (
    <Fact {...fact} value={formatShare(share.share)}>
      {t.shareInterval({ low, high, n: formatCount(share.n) })} {children}
    </Fact>
  )
}
