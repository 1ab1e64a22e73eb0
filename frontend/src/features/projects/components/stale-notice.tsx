import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { Project } from '@/lib/api/contract'
import { getProject } from '@/lib/project/get-project'
import { t } from '@/messages/projects'
import { differingNames, knobInWords, type Knobs, knobsOf, knobTitles } from '../state/knobs'
import styles from './project-settings-page.module.css'

export interface StaleNoticeProps {
  slug: string
  draft: Knobs
  isSaving: boolean
  onTakeTheirs: (theirs: Project) => void
  onKeepMine: (version: number) => void
}

/** Somebody was faster: shows what stands now where it differs, and lets the curator decide. */
export function StaleNotice({ slug, draft, isSaving, onTakeTheirs, onKeepMine }: StaleNoticeProps) {
  const { data: theirs } = useQuery({
    queryKey: ['newer-project', slug],
    queryFn: () => getProject(slug),
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <Notice tone="bad">
      <p>{theirs ? t.changedToVersion({ version: theirs.version }) : t.changedMeanwhile}</p>
      {theirs && <Differences draft={draft} theirs={knobsOf(theirs)} />}
      {theirs && (
        <p className={styles.ways}>
          <Button size="small" isPending={isSaving} onPress={() => onKeepMine(theirs.version)}>
            {t.saveMine}
          </Button>
          <Button size="small" onPress={() => onTakeTheirs(theirs)}>
            {t.takeTheirs}
          </Button>
        </p>
      )}
    </Notice>
  )
}

function Differences({ draft, theirs }: { draft: Knobs; theirs: Knobs }) {
  return (
    <dl className={styles.differences}>
      {differingNames(draft, theirs).map((name) => (
        <div key={name}>
          <dt>{t.asItStands({ name: knobTitles[name] })}</dt>
          <dd>{knobInWords(name, theirs[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
