import { useDeferredValue, useMemo, useState } from 'react'
import type { Tool } from '@/components/point-map/use-outline'
import type { MapRelease } from '@/lib/api/served'
import type { ColumnName } from '@/lib/caption-map/columns'
import type { Kind, Layer, MapData } from '@/lib/caption-map/map-data'
import { type Dataset, datasetsOf, everything } from './datasets'
import { search } from './search'

/** Which codes of a column are shown; a column that is not here is not filtered. */
export type Filters = Readonly<Partial<Record<ColumnName, readonly number[]>>>

type IsShown = (index: number) => boolean

const nothing: Filters = {}
const firstColumn: Record<Kind, ColumnName> = { captions: 'difficulty', images: 'difficulty' }

function filteredBy(layer: Layer, filters: Filters): IsShown {
  const asked = layer.columns.flatMap(({ name, codes }) => {
    const wanted = filters[name]
    return wanted ? [{ codes, wanted: new Set(wanted) }] : []
  })
  return (index) => layer.isThere(index) && asked.every(({ codes, wanted }) => wanted.has(codes[index] ?? -1))
}

/** What a person has asked the map for, and what it comes to. */
export function useExplorer(data: MapData, releases?: readonly MapRelease[]) {
  const [kind, setKind] = useState<Kind>('captions')
  const [columnNames, setColumnNames] = useState(firstColumn)
  const [filters, setFilters] = useState(nothing)
  const [first, setFirst] = useState(everything)
  const [second, setSecond] = useState<string | null>(null)
  const [asked, setAsked] = useState('')
  const [taken, setTaken] = useState<Int32Array | null>(null)
  const [marked, setMarked] = useState<number | null>(null)
  const [tool, setTool] = useState<Tool>('move')
  const layer = data[kind]
  const column = layer.columns.find(({ name }) => name === columnNames[kind]) ?? layer.columns[0]
  const datasets = useMemo(() => datasetsOf(layer, releases), [layer, releases])
  const deferred = useDeferredValue(asked)

  const dataset = (id: string): Dataset => datasets.find((each) => each.id === id) ?? datasets[0]
  const [firstSet, secondSet] = [dataset(first), second === null ? null : dataset(second)]
  const maps = useMemo(() => {
    const isFiltered = filteredBy(layer, filters)
    return [firstSet, ...(secondSet ? [secondSet] : [])].map((each) => ({
      ...each,
      isShown: (index: number) => each.has(index) && isFiltered(index),
    }))
  }, [layer, filters, firstSet, secondSet])
  const found = useMemo(() => search(data, layer, deferred), [data, layer, deferred])

  /** What a search and an outline leave of the points that are shown, on any of the maps; in the order of the map. */
  const listed = useMemo(() => {
    const isListed = (index: number) =>
      maps.some(({ isShown }) => isShown(index)) && (found === null || found[index] === 1)
    return (taken ?? Int32Array.from(layer.ids.keys())).filter(isListed)
  }, [layer, maps, found, taken])

  const letGo = () => {
    setTaken(null)
    setMarked(null)
  }
  return {
    kind,
    layer,
    column,
    datasets,
    maps,
    first,
    second,
    filters,
    asked,
    listed,
    /** Whether the list is fewer than all that is shown, so that it is drawn over the others. */
    isNarrowed: found !== null || taken !== null,
    isTaken: taken !== null,
    marked,
    tool,
    setKind: (next: Kind) => {
      setKind(next)
      setFilters(nothing)
      setFirst(everything)
      setSecond(null)
      letGo()
    },
    setColumn: (name: ColumnName) => setColumnNames((before) => ({ ...before, [kind]: name })),
    setFirst,
    setSecond,
    setAsked,
    setTaken,
    setMarked,
    setTool,
    /** Shows an entry of a column alone, or with others that were pressed; pressed again, no longer. */
    toggle: (name: ColumnName, code: number) =>
      setFilters((before) => {
        const now = before[name] ?? []
        const next = now.includes(code) ? now.filter((each) => each !== code) : [...now, code]
        const others = Object.fromEntries(Object.entries(before).filter(([key]) => key !== name))
        return next.length > 0 ? { ...others, [name]: next } : others
      }),
    clearFilters: () => setFilters(nothing),
    /** One thing at a time: the point that is open, the outline, the search, the filters. */
    clear: () => {
      if (marked !== null) setMarked(null)
      else if (taken) setTaken(null)
      else if (asked) setAsked('')
      else setFilters(nothing)
    },
  }
}

export type Explorer = ReturnType<typeof useExplorer>
