import { useMemo, useState } from 'react'
import type { Column, ColumnName } from '@/lib/caption-map/columns'
import { useMap, useMapData } from '@/lib/caption-map/get-map'
import { css, useColours } from '@/lib/caption-map/use-colours'
import type { Cloud } from './cloud'

/** What the map of captions knows of the images, by the points of a sample. */
export interface ImageColours {
  columns: readonly Column[]
  column: Column | null
  legend: readonly { label: string; colour: string; n: number }[]
  /** A colour for each point; null while the sample colours them. */
  ofPoints: readonly string[] | null
  isPending: boolean
  /** Null where nobody has made a map: there is nothing to colour by. */
  choose: ((name: ColumnName | null) => void) | null
  ask: () => void
  isAsked: boolean
}

/** The code of each point of a sample in a column of the map; the last code is that of no value. */
export function codesOf(column: Column, mapIds: Float64Array, images: readonly number[]): number[] {
  const places = new Map(Array.from(mapIds, (id, place) => [id, place]))
  const none = column.entries.length - 1
  return images.map((id) => column.codes[places.get(id) ?? -1] ?? none)
}

/** The columns are some megabytes, so that they are read only for a person who asks for them. */
export function useImageColours(slug: string, cloud: Cloud): ImageColours {
  const map = useMap(slug).data?.map
  const [isAsked, setAsked] = useState(false)
  const [name, setName] = useState<ColumnName | null>(null)
  const { data, isFetching } = useMapData(slug, map?.digest ?? '', isAsked && Boolean(map))
  const colours = useColours()
  const columns: readonly Column[] = (data)?.images.columns ?? []
  const column = columns.find((each) => each.name === name) ?? null
  const coloured = useMemo(() => {
    if (!column || !data) return { ofPoints: null, legend: [] }
    const codes = codesOf(column, data.images.ids, cloud.images)
    const ofEntries = column.entries.map((entry) => css(colours.of(entry)))
    const counts = column.entries.map((_, code) => codes.filter((each) => each === code).length)
    const legend = column.entries.map(({ label }, code) => ({ label, colour: ofEntries[code] ?? '', n: counts[code] ?? 0 }))
    return { ofPoints: codes.map((code) => ofEntries[code] ?? ''), legend: legend.filter(({ n }) => n > 0) }
  }, [column, data, colours, cloud])
  return {
    ...coloured,
    columns,
    column,
    isPending: isAsked && isFetching && !data,
    choose: map ? setName : null,
    ask: () => setAsked(true),
    isAsked,
  }
}
