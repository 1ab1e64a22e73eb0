import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import type { Sample } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'

/** What the sample was made with, for whoever wants to make it again. */
export function SampleFacts({ sample }: { sample: Sample }) {
  const { settings } = sample
  const isLaidOut = sample.layout === 'umap'
  const versions = Object.entries(sample.versions).map(([name, version]) => `${name} ${version}`)
  return (
    <Disclosure summary="How it was made">
      <Facts
        facts={[
          { name: 'Asked for', value: formatCount(sample.k) },
          { name: 'Farthest left', value: `${sample.cover_radius.toFixed(3)} from its nearest pick` },
          { name: 'Model', value: sample.model },
          { name: 'Layout', value: isLaidOut ? 'UMAP' : 'Principal axes' },
          { name: 'Neighbours', value: isLaidOut && formatCount(settings.n_neighbors) },
          { name: 'Least distance', value: isLaidOut && settings.min_dist.toFixed(2) },
          { name: 'Seed', value: isLaidOut && String(settings.seed) },
          { name: 'Versions', value: versions.join(', ') },
        ].map((fact) => ({ ...fact, value: fact.value === false ? null : fact.value }))}
      />
    </Disclosure>
  )
}

/** What a reader of the map must know before believing it. */
export function SampleNotes({ sample }: { sample: Sample }) {
  const notes = [
    sample.is_everything && 'Every photograph is picked: there are no more than were asked for.',
    sample.is_short && 'Fewer are picked than were asked for: all that is left are copies of picked ones.',
    sample.layout === 'principal' &&
      'These are too few for UMAP: they lie on their two main axes, and were picked by all that the model sees.',
    sample.n_left_out > 0 &&
      `${formatCount(sample.n_left_out)} could not be embedded. The run lists them with reasons.`,
  ]
  return <Notes notes={notes} />
}
