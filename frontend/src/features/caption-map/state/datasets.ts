import type { MapRelease } from '@/lib/api/served'
import type { ColumnName } from '@/lib/caption-map/columns'
import type { Layer } from '@/lib/caption-map/map-data'
import { t } from '@/messages/caption-map'

/** Some of the points of a layer under a name: what one of two maps shows. */
export interface Dataset {
  id: string
  label: string
  has: (index: number) => boolean
}

const offered: readonly ColumnName[] = ['selection', 'label', 'source', 'difficulty', 'status', 'licence']
export const everything = 'all'

/** All points, those of each release, and those of each value of a column that tells data sets apart. */
export function datasetsOf(layer: Layer, releases: readonly MapRelease[] = []): readonly [Dataset, ...Dataset[]] {
  const all = layer.kind === 'captions' ? t.allCaptions : t.allImages
  const parts = layer.columns
    .filter(({ name }) => offered.includes(name))
    .flatMap(({ name, label, entries, codes }) =>
      entries.flatMap((entry, code) =>
        entry.n > 0 && entry.value
          ? [
              {
                id: `${name}:${entry.value}`,
                label: t.columnIs({ column: label, value: entry.label }),
                has: (index: number) => codes[index] === code,
              },
            ]
          : [],
      ),
    )
  const released = releases.map((release) => {
    const ids = new Set(release[layer.kind])
    return {
      id: `release:${release.label}`,
      label: t.release({ label: release.label }),
      has: (index: number) => ids.has(layer.ids[index] ?? -1),
    }
  })
  return [{ id: everything, label: all, has: () => true }, ...released, ...parts]
}
