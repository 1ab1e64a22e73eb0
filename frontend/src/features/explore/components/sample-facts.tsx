import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import type { Sample } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/explore'

/** The settings of the sample, needed to make it again. */
export function SampleFacts({ sample }: { sample: Sample }) {
  const { settings } = sample
  const isLaidOut = sample.layout === 'umap'
  const versions = Object.entries(sample.versions).map(([name, version]) => `${name} ${version}`)
  return (
    <Disclosure summary={t.howMade}>
      <Facts
        facts={[
          { name: t.askedFor, value: formatCount(sample.k) },
          { name: t.farthestLeft, value: t.fromNearest({ coverRadius: formatDecimal(sample.cover_radius, 3) }) },
          { name: t.model, value: sample.model },
          { name: t.layout, value: isLaidOut ? 'UMAP' : t.principalAxes },
          { name: t.neighbours, value: isLaidOut && formatCount(settings.n_neighbors) },
          { name: t.leastDistance, value: isLaidOut && formatDecimal(settings.min_dist, 2) },
          { name: t.seed, value: isLaidOut && String(settings.seed) },
          { name: t.versions, value: versions.join(', ') },
        ].map((fact) => ({ ...fact, value: fact.value === false ? null : fact.value }))}
      />
    </Disclosure>
  )
}

/** What a reader of the map must know before believing it. */
export function SampleNotes({ sample }: { sample: Sample }) {
  const notes = [
    sample.is_everything && t.everyPicked,
    sample.is_short && t.fewerPicked,
    sample.layout === 'principal' && t.tooFew,
    sample.n_left_out > 0 && t.notEmbedded({ nLeftOut: formatCount(sample.n_left_out) }),
  ]
  return <Notes notes={notes} />
}
