import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Project } from '@/lib/api/contract'
import { formatCount, formatWholeShare } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { useIsSeen } from '@/lib/layout/use-is-seen'
import { useProgress } from '@/lib/project/get-progress'
import { roleNames } from '@/lib/project/roles'
import { workLeft } from '@/lib/project/work-left'
import { t } from '@/messages/projects'
import { nPictures, useStrip } from '../api/get-strip'
import { isAllDone, nextOf, pastWork } from '../state/next-page'
import { Count } from './count'
import { OwnFigures } from './own-figures'
import styles from './project-entry.module.css'

/** One project with its pictures, how far it is, and the one thing to do now. */
export function ProjectEntry({ project }: { project: Project }) {
  const { slug, counts, role } = project
  const own = useProgress(slug, false).data // OwnFigures asks for it
  const isOver = role === 'annotator' && own && isAllDone(workLeft(own, project.hits_per_annotator))
  const next = isOver ? pastWork : nextOf(project)
  const isQuery = project.direction === 'images_of_query'
  return (
    <li className={styles.entry}>
      {role !== 'annotator' && <Strip slug={slug} n={counts.images} />}
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Link to="/projects/$slug" params={{ slug }} className={styles.link}>
            {project.name}
          </Link>
        </h2>
        <p className={styles.about}>
          <Badge tone="accent">{roleNames[role]}</Badge>
          <span>
            <Sentence of={t.begun} parts={{ when: <RelativeTime at={project.created_at} /> }} />
          </span>
        </p>
        {role === 'annotator' ? (
          <OwnFigures project={project} />
        ) : (
          <dl className={styles.counts}>
            <Count of={counts.images} name={t.photographs({ n: counts.images })} />
            <Count
              of={counts.kept}
              name={isQuery ? t.pairs({ n: counts.kept }) : t.captions({ n: counts.kept })}
              title={isQuery ? undefined : t.ofCandidates({ candidates: counts.candidates })}
            />
            <Count of={counts.judgments} name={t.judgments({ n: counts.judgments })} />
            {!isQuery && <Count of={counts.releases} name={t.releases({ n: counts.releases })} />}
          </dl>
        )}
      </div>
      <div className={styles.state}>
        <Progress slots={counts.slots} open={counts.slots_open} isBrief={role === 'annotator'} />
        <LinkButton
          variant={next.to === '/projects/$slug/annotate' ? 'primary' : 'secondary'}
          to={next.to}
          params={{ slug }}
          className={styles.next}
          aria-label={`${next.words}: ${project.name}`}
        >
          {next.words}
        </LinkButton>
      </div>
    </li>
  )
}

/** The first pictures; empty places keep the entry as high as the others. */
function Strip({ slug, n }: { slug: string; n: number }) {
  const place = useRef<HTMLDivElement>(null)
  const images = useStrip(slug, useIsSeen(place) && n > 0)
  return (
    <div ref={place} className={styles.strip} aria-hidden="true">
      {Array.from({ length: nPictures }, (_, at) => {
        const image = images[at]
        return (
          <span key={at} className={styles.picture}>
            {image && <img src={image.thumbnail.small.url} alt="" loading="lazy" decoding="async" />}
          </span>
        )
      })}
    </div>
  )
}

/** Annotators have a bar of their own: the whole project is a line of words then. */
function Progress({ slots, open, isBrief }: { slots: number; open: number; isBrief: boolean }) {
  if (slots === 0) return <p className={styles.progress}>{t.noTasksYet}</p>
  const done = slots - open
  return (
    <div className={styles.progress}>
      {isBrief ? t.wholeProject : <ProgressBar label={t.assignmentsDone} value={done} max={slots} />}
      <span>
        <b>{formatWholeShare(done / slots)}</b> {t.assignmentsOf({ done: formatCount(done), all: formatCount(slots) })}
      </span>
    </div>
  )
}
