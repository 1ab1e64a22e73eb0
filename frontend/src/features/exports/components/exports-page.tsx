import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/exports'
import { useExports } from '../api/exports'
import { ExportLine } from './export-line'
import styles from './exports.module.css'
import { NewExportDialog } from './new-export-dialog'

/** Files of the project or of a release, which a worker makes and the server keeps for some days. */
export function ExportsPage({ project }: { project: Project }) {
  const [isMaking, setMaking] = useState(false)
  return (
    <Page>
      <PageHeader
        title={t.exports}
        lead={t.lead}
        actions={
          <Button variant="primary" icon="plus" onPress={() => setMaking(true)}>
            {t.newExport}
          </Button>
        }
      />
      <ExportList slug={project.slug} />
      {isMaking && <NewExportDialog project={project} onClose={() => setMaking(false)} />}
    </Page>
  )
}

function ExportList({ slug }: { slug: string }) {
  const { data, error, isPending, refetch, ...pages } = useExports(slug)
  if (isPending) return <Skeleton label={t.theExports} rows={4} />
  if (error) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const made = data.pages.flatMap((page) => page.results)
  if (made.length === 0) {
    return (
      <EmptyState title={t.noExports} icon="download">
        {t.noExportsHint}
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={styles.list} aria-label={t.exports}>
        {made.map((each) => (
          <ExportLine key={each.id} slug={slug} made={each} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.earlierExports}</MoreButton>
    </>
  )
}
