import { Link } from '@tanstack/react-router'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { SamplePick } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/explore'
import { usePicks } from '../api/get-picks'
import styles from './picks-table.module.css'

/** The map in words: which images were picked, in their order, and how far each lay from those before. */
export function PicksTable({ slug, sampleId }: { slug: string; sampleId: number }) {
  const { data, error, isPending, refetch, ...pages } = usePicks(sampleId)
  if (isPending) return <Skeleton label={t.thePicks} />
  if (error) return <ErrorState error={error} title={t.picksNotShown} onRetry={() => void refetch()} />
  return (
    <>
      <Table
        label={t.firstPicks}
        columns={columnsOf(slug)}
        rows={data.pages.flatMap((page) => page.results)}
        rowId={(pick) => String(pick.position)}
      />
      <MoreButton {...pages}>{t.morePicks}</MoreButton>
    </>
  )
}

const columnsOf = (slug: string): readonly TableColumn<SamplePick>[] => [
  { id: 'position', title: t.pick, isNumber: true, onPhone: 'under', cell: (pick) => formatCount(pick.position ?? 0) },
  {
    id: 'image',
    title: t.photograph,
    isRowHeader: true,
    cell: ({ image }) => (
      <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(image.id) }} className={styles.image}>
        <img
          className={styles.picture}
          src={image.thumbnail.small.url}
          alt=""
          loading="lazy"
          width={image.thumbnail.small.width}
          height={image.thumbnail.small.height}
        />
        {image.title || image.key}
      </Link>
    ),
  },
  {
    id: 'distance',
    title: t.fromEarlier,
    isNumber: true,
    onPhone: 'under',
    cell: ({ distance }) => (distance === null ? <span title={t.noneBefore}>–</span> : formatDecimal(distance, 3)),
  },
]
