import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Page, PageHeader } from '@/components/ui/page-header'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { CaptionMap, MapRun } from '@/lib/api/served'
import { useMakeMap, useMap, useMapData } from '@/lib/caption-map/get-map'
import type { MapData } from '@/lib/caption-map/map-data'
import { formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/caption-map'
import { MapDesk } from './map-desk'

/** All images and all captions of a project on two planes, coloured by what is known of them. */
export function MapPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useMap(project.slug)
  const isBeingMade = data?.run?.status === 'queued' || data?.run?.status === 'running'
  const isCurator = project.role === 'curator'
  return (
    <Page isWide>
      <PageHeader
        title={t.map}
        lead={data?.map && <Lead map={data.map} />}
        actions={data?.map && isCurator && !isBeingMade && <MakeButton slug={project.slug} isAgain />}
      />
      {isPending && <Skeleton label={t.theMap} rows={4} />}
      {error && !data && <ErrorState error={error} title={t.mapNotShown} onRetry={() => void refetch()} />}
      {data?.run && <RunNews slug={project.slug} run={data.run} />}
      {data && !data.map && !isBeingMade && (
        <EmptyState title={t.noMap} icon="search" action={isCurator && <MakeButton slug={project.slug} />}>
          {isCurator ? t.forCurators : t.forOthers}
        </EmptyState>
      )}
      {data?.map && <MapOf key={data.map.digest} slug={project.slug} map={data.map} />}
    </Page>
  )
}

function Lead({ map }: { map: CaptionMap }) {
  return (
    <Sentence
      of={({ when }) => t.made({ images: formatCount(map.n_images), captions: formatCount(map.n_captions), when })}
      parts={{ when: <RelativeTime at={map.made_at} /> }}
    />
  )
}

function MakeButton({ slug, isAgain = false }: { slug: string; isAgain?: boolean }) {
  const { mutate, isPending } = useMakeMap(slug)
  const make = () => mutate(undefined, { onError: (error) => showToast(asApiError(error).message, 'bad') })
  return (
    <Button variant={isAgain ? 'secondary' : 'primary'} isPending={isPending} onPress={make}>
      {isAgain ? t.makeAgain : t.makeMap}
    </Button>
  )
}

/** A run that goes on, or that came to nothing. */
function RunNews({ slug, run }: { slug: string; run: MapRun }) {
  if (run.status === 'succeeded' || run.status === 'cancelled') return null
  const isLive = run.status !== 'failed'
  return (
    <EmptyState
      title={isLive ? t.beingMade : t.notMade}
      icon={isLive ? 'play' : 'alert'}
      action={
        <LinkButton to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
          {t.openRun}
        </LinkButton>
      }
    >
      {isLive ? t.beingMadeNote : t.notMadeNote}
      {isLive && run.total !== null && <ProgressBar label={t.beingMade} value={run.done} max={run.total} />}
    </EmptyState>
  )
}

function MapOf({ slug, map }: { slug: string; map: CaptionMap }) {
  const { data, error, isPending, refetch } = useMapData(slug, map.digest)
  return (
    <>
      {isPending && <Skeleton label={t.theMap} rows={1} shape="tile" />}
      {error && !data && <ErrorState error={error} title={t.mapNotShown} onRetry={() => void refetch()} />}
      {data && <MapNotes data={data} nLeftOut={map.n_left_out} />}
      {data && <MapDesk slug={slug} data={data} />}
    </>
  )
}

/** What is not on the map, and why. */
function MapNotes({ data, nLeftOut }: { data: MapData; nLeftOut: number }) {
  const { nImagesMissing, nCaptionsMissing, nCaptionsChanged } = data
  return (
    <Notes
      notes={[
        nImagesMissing > 0 && t.imagesMissing({ n: nImagesMissing }),
        nCaptionsMissing > 0 && t.captionsMissing({ n: nCaptionsMissing }),
        nCaptionsChanged > 0 && t.captionsChanged({ n: nCaptionsChanged }),
        nLeftOut > 0 && t.leftOut({ n: nLeftOut }),
      ]}
    />
  )
}
