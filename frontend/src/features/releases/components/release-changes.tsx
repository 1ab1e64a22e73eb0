import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { Table } from '@/components/ui/table'
import type { ReleaseChanges as Changes } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import styles from './use-it.module.css'

/** What is different from the release before. Older releases do not say. */
export function ReleaseChanges({ changes }: { changes: Changes | null }) {
  if (!changes?.against && !changes?.notes) return null
  const { against, notes, images, captions, judgments, settings } = changes
  const nMoved = movesOf(changes)
  return (
    <section className={styles.section} aria-labelledby="changes">
      <h2 id="changes" className={styles.title}>
        {against ? t.changesSince({ version: against.label }) : t.firstVersion}
      </h2>
      <div className={styles.block}>
        {notes && <p className={styles.notes}>{notes}</p>}
        {against && (
          <Facts
            facts={[
              { name: t.imagesColumn, value: wordsOf(images) },
              { name: t.captionsColumn, value: wordsOf(captions) },
              {
                name: t.answersColumn,
                value: t.beforeNow({ before: formatCount(judgments.before), now: formatCount(judgments.after) }),
              },
              { name: t.difficulty, value: nMoved > 0 && t.moved({ n: nMoved }) },
            ].filter(({ value }) => value)}
          />
        )}
        {settings.length > 0 && (
          <Disclosure summary={t.settingsChanged({ n: settings.length })}>
            <Table
              label={t.settings}
              rows={settings}
              rowId={({ name }) => name}
              columns={[
                { id: 'name', title: t.setting, isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
                { id: 'before', title: t.before, cell: ({ before }) => before },
                { id: 'after', title: t.now, cell: ({ after }) => after },
              ]}
            />
          </Disclosure>
        )}
      </div>
    </section>
  )
}

function wordsOf({ added, left, changed }: Changes['images']): string {
  if (added.n + left.n + changed.n === 0) return t.nothingChanged
  return t.addedLeftChanged({ added: added.n, left: left.n, changed: changed.n })
}

/** Captions of both releases that have another category now. */
function movesOf({ difficulty }: Changes): number {
  const moves = Object.entries(difficulty).flatMap(([before, row]) =>
    Object.entries(row).map(([now, n]) => (now === before ? 0 : n)),
  )
  return moves.reduce((sum, n) => sum + n, 0)
}
