import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ToGallery } from '@/components/point-map/to-gallery'
import type { Tool } from '@/components/point-map/use-outline'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Switch } from '@/components/ui/switch'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Sample } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { absoluteTime } from '@/lib/format/time'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/explore'
import { exploreToolActions } from '../actions'
import { usePoints } from '../api/get-points'
import { useSamples } from '../api/get-samples'
import type { Cloud } from '../state/cloud'
import { useImageColours } from '../state/use-image-colours'
import { ColourChoice } from './colour-choice'
import styles from './explore-page.module.css'
import { ForceDeed } from './force-deed'
import { PicksTable } from './picks-table'
import { NoPicture, PictureCard } from './picture-card'
import { SampleFacts, SampleNotes } from './sample-facts'
import { SampleMap } from './sample-map'
import { ShownSlider } from './shown-slider'

/** Where every photograph of a project lies by what it shows, and which were picked. */
export function ExplorePage({ project }: { project: Project }) {
  const { data: samples, error, isPending, refetch } = useSamples(project.slug)
  const [chosen, setChosen] = useState<number | null>(null)
  const sample = samples?.find(({ id }) => id === chosen) ?? inForceOf(samples) ?? samples?.[0]
  return (
    <Page isWide>
      <PageHeader
        title={t.explore}
        lead={sample && <Lead sample={sample} />}
        actions={sample && project.role === 'curator' && <ForceDeed slug={project.slug} sample={sample} />}
      />
      {isPending && <Skeleton label={t.theSample} rows={4} />}
      {error && <ErrorState error={error} title={t.sampleNotShown} onRetry={() => void refetch()} />}
      {samples?.length === 0 && <NoSample project={project} />}
      {samples && samples.length > 1 && (
        <div className={styles.choice}>
          <Select
            label={t.sample}
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
  label: t.pickedOf({ nPicked: formatCount(sample.n_picked), nImages: formatCount(sample.n_images) }),
  detail: `${absoluteTime(new Date(sample.created_at))}${sample.in_force_since === null ? '' : t.andInForce}`,
})

function Lead({ sample }: { sample: Sample }) {
  return (
    <span className={styles.lead}>
      <span>
        <Sentence
          of={({ when }) => t.pickedMade({ n: sample.n_images, picked: sample.n_picked, when })}
          parts={{ when: <RelativeTime at={sample.created_at} /> }}
        />
      </span>
      {sample.in_force_since === null ? (
        <Badge>{t.notInForce}</Badge>
      ) : (
        <Badge tone="done" icon="check">
          {t.inForce}
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
      {isPending && <Skeleton label={t.theMap} rows={1} shape="tile" />}
      {error && <ErrorState error={error} title={t.mapNotShown} onRetry={() => void refetch()} />}
      {cloud && <MapView slug={project.slug} sample={sample} cloud={cloud} />}
      <section className={styles.table}>
        <h2 className={styles.title}>{t.firstPicks}</h2>
        <p className={styles.note}>{t.firstPicksNote}</p>
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
  const colours = useImageColours(slug, cloud)
  const [tool, setTool] = useState<Tool>('move')
  const [taken, setTaken] = useState<readonly number[]>([])
  const seen = hovered ?? marked
  const open = (index: number) => {
    const imageId = String(cloud.images[index])
    void navigate({ to: '/projects/$slug/images/$imageId', params: { slug, imageId } })
  }
  useActions(exploreToolActions, {
    'explore.lasso': () => setTool('lasso'),
    'explore.move': () => setTool('move'),
  })
  return (
    <div className={styles.desk}>
      <SampleMap
        slug={slug}
        cloud={cloud}
        shown={shown}
        marked={seen}
        onHover={setHovered}
        onMark={setMarked}
        onOpen={open}
        colours={colours.ofPoints}
        tool={tool}
        onTake={(indices) => setTaken(Array.from(indices, (index) => cloud.images[index] ?? 0))}
      />
      <div className={styles.side}>
        <Switch
          label={t.drag}
          choices={[
            { value: 'move', label: t.moveMap },
            { value: 'lasso', label: t.lasso },
            { value: 'box', label: t.box },
          ]}
          value={tool}
          onChange={setTool}
        />
        <ColourChoice colours={colours} />
        {taken.length > 0 && (
          <div className={styles.taken} role="group" aria-label={t.taken({ n: taken.length })}>
            <ToGallery slug={slug} images={taken} />
            <Button size="small" variant="quiet" onPress={() => setTaken([])}>
              {t.letGoOutline}
            </Button>
          </div>
        )}
        <p role="status" className="visually-hidden">
          {taken.length > 0 && t.taken({ n: taken.length })}
        </p>
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
      title={t.noSample}
      icon="search"
      forCurators={t.mapForCurators}
      forOthers={t.mapForOthers}
    />
  )
}
