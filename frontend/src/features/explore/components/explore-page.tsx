import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Sample } from '@/lib/api/served'
import { formatCount, plural } from '@/lib/format/numbers'
import { absoluteTime } from '@/lib/format/time'
import { usePoints } from '../api/get-points'
import { useSamples } from '../api/get-samples'
import type { Cloud } from '../state/cloud'
import { ForceDeed } from './force-deed'
import { PicksTable } from './picks-table'
import { NoPicture, PictureCard } from './picture-card'
import { SampleFacts, SampleNotes } from './sample-facts'
import { SampleMap } from './sample-map'
import { ShownSlider } from './shown-slider'
import styles from './explore-page.module.css'

/** Where every photograph of a project lies by what it shows, and which were picked. */
export function ExplorePage({ project }: { project: Project }) {
  const { data: samples, error, isPending, refetch } = useSamples(project.slug)
  const [chosen, setChosen] = useState<number | null>(null)
  const sample = samples?.find(({ id }) => id === chosen) ?? inForceOf(samples) ?? samples?.[0]
  return (
    <Page isWide>
      <PageHeader
        title="Explore"
        lead={sample && <Lead sample={sample} />}
        actions={sample && project.role === 'curator' && <ForceDeed slug={project.slug} sample={sample} />}
      />
      {isPending && <Skeleton label="the sample" rows={4} />}
      {error && <ErrorState error={error} title="The sample could not be shown" onRetry={() => void refetch()} />}
      {samples?.length === 0 && <NoSample project={project} />}
      {samples && samples.length > 1 && (
        <div className={styles.choice}>
          <Select
            label="Sample"
            choices={samples.map(choiceOf)}
            value={sample ? String(sample.id) : null}
            onChange={(value) => setChosen(Number(value))}
          />
        </div>
      )}
      {sample && <SampleView key={sample.id} project={project} sample={sample} />}
    </Page>
  )
}

const inForceOf = (samples: readonly Sample[] | undefined): Sample | undefined =>
  samples?.find((sample) => sample.in_force_since !== null)

const choiceOf = (sample: Sample) => ({
  value: String(sample.id),
  label: `${formatCount(sample.n_picked)} of ${formatCount(sample.n_images)}`,
  detail: `${absoluteTime(new Date(sample.created_at))}${sample.in_force_since === null ? '' : ', in force'}`,
})

function Lead({ sample }: { sample: Sample }) {
  return (
    <span className={styles.lead}>
      <span>
        {formatCount(sample.n_picked)} of {plural(sample.n_images, 'photograph')} picked, made{' '}
        <RelativeTime at={sample.created_at} />.
      </span>
      {sample.in_force_since === null ? (
        <Badge>Not in force</Badge>
      ) : (
        <Badge tone="good" icon="check">
          In force
        </Badge>
      )}
    </span>
  )
}

function SampleView({ project, sample }: { project: Project; sample: Sample }) {
  const { data: cloud, error, isPending, refetch } = usePoints(sample.id)
  return (
    <>
      <SampleNotes sample={sample} />
      {isPending && <Skeleton label="the map" rows={1} shape="tile" />}
      {error && <ErrorState error={error} title="The map could not be shown" onRetry={() => void refetch()} />}
      {cloud && <MapView slug={project.slug} sample={sample} cloud={cloud} />}
      <section className={styles.table}>
        <h2 className={styles.title}>The first picks</h2>
        <p className={styles.note}>Each lay farthest from all before it, so outliers come early.</p>
        <PicksTable slug={project.slug} sampleId={sample.id} />
      </section>
    </>
  )
}

function MapView({ slug, sample, cloud }: { slug: string; sample: Sample; cloud: Cloud }) {
  const navigate = useNavigate()
  const [hovered, setHovered] = useState<number | null>(null)
  const [marked, setMarked] = useState<number | null>(null)
  const [shown, setShown] = useState(cloud.picks.length)
  const seen = hovered ?? marked
  const open = (index: number) => {
    const imageId = String(cloud.images[index])
    void navigate({ to: '/projects/$slug/images/$imageId', params: { slug, imageId } })
  }
  return (
    <div className={styles.desk}>
      <SampleMap cloud={cloud} shown={shown} marked={seen} onHover={setHovered} onMark={setMarked} onOpen={open} />
      <div className={styles.side}>
        {seen === null ? (
          <NoPicture />
        ) : (
          <PictureCard
            slug={slug}
            imageId={cloud.images[seen] ?? 0}
            position={cloud.positions[seen] ?? 0}
            total={cloud.picks.length}
          />
        )}
        <ShownSlider total={cloud.images.length} picked={cloud.picks.length} shown={shown} onChange={setShown} />
        <SampleFacts sample={sample} />
      </div>
    </div>
  )
}

function NoSample({ project }: { project: Project }) {
  return (
    <NothingYet
      project={project}
      title="No sample yet"
      icon="search"
      forCurators="A map of all photographs will be here, those that look alike beside each other, with a sample that covers it evenly. The stage Sample makes it."
      forOthers="A map of all photographs will be here, those that look alike beside each other, once a curator has drawn a sample."
    />
  )
}
