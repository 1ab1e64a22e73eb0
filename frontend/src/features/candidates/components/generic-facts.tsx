import { Badge } from '@/components/ui/badge'
import type { Candidate } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import { ruleName } from '../state/rule-words'

type Generic = NonNullable<Candidate['generic']>

/** A caption that a panel of models finds good for many other pictures: a person should look whether it says enough. */
export function GenericFlag({ generic }: Pick<Candidate, 'generic'>) {
  if (!generic?.reason_code) return null
  return (
    <Badge tone="bad" icon="alert">
      {ruleName('fits_many')}
    </Badge>
  )
}

/** How many other pictures it fits, by the panel; how many the panel could not tell of; and whose ten best have it. */
export function GenericFacts({ generic }: Pick<Candidate, 'generic'>) {
  if (!generic) return null
  const { n_undecided, hubness, reason_code } = generic
  return (
    <>
      {generic.score !== null && <span>{fit(generic, generic.score)}</span>}
      {reason_code === 'among_the_highest' && <span>{t.amongHighest}</span>}
      {n_undecided > 0 && <span>{t.undecidedN({ nUndecided: formatCount(n_undecided) })}</span>}
      {hubness > 0 && <span>{t.amongTenBest({ hubness })}</span>}
    </>
  )
}

const fit = ({ n_matched, n_judged }: Generic, score: number): string =>
  t.fits({ nMatched: formatCount(n_matched), nJudged: formatCount(n_judged), score: formatShare(score) })
