import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { Kind } from '@/lib/caption-map/map-data'
import { t } from '@/messages/caption-map'
import type { Explorer } from '../state/use-explorer'
import styles from './map-tools.module.css'

const nothing = 'nothing'

/** What the map shows, by which colours, beside which other data set, and what a drag does. */
export function MapTools({ explorer }: { explorer: Explorer }) {
  const { kind, layer, column, datasets, first, second, tool } = explorer
  const kinds: readonly { value: Kind; label: string }[] = [
    { value: 'captions', label: t.captions },
    { value: 'images', label: t.images },
  ]
  const choices = datasets.map(({ id, label }) => ({ value: id, label }))
  return (
    <div className={styles.tools}>
      <Switch label={t.show} choices={kinds} value={kind} onChange={explorer.setKind} />
      <Select
        label={t.colour}
        choices={layer.columns.map(({ name, label }) => ({ value: name, label }))}
        value={column.name}
        onChange={explorer.setColumn}
      />
      <Select label={t.dataset} choices={choices} value={first} onChange={explorer.setFirst} />
      <Select
        label={t.beside}
        choices={[{ value: nothing, label: t.nothing }, ...choices]}
        value={second ?? nothing}
        onChange={(id) => explorer.setSecond(id === nothing ? null : id)}
      />
      <Switch
        label={t.drag}
        choices={[
          { value: 'move', label: t.move },
          { value: 'lasso', label: t.lasso },
          { value: 'box', label: t.box },
        ]}
        value={tool}
        onChange={explorer.setTool}
      />
    </div>
  )
}
