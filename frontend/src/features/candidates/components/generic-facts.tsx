import { Badge } from '@/components/ui/badge'
import type { Candidate } from '@/lib/api/served'
import { formatCount, formatShare, plural } from '@/lib/format/numbers'
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
      {reason_code === 'among_the_highest' && <span>among the highest shares of all captions</span>}
      {n_undecided > 0 && <span>{formatCount(n_undecided)} undecided</span>}
      {hubness > 0 && <span>among the ten best captions of {plural(hubness, 'picture')}</span>}
    </>
  )
}

const fit = ({ n_matched, n_judged }: Generic, score: number): string =>
  `fits ${formatCount(n_matched)} of ${formatCount(n_judged)} other pictures, ${formatShare(score)}`
