import { Link } from '@tanstack/react-router'
import type { Project } from '@/lib/api/contract'
import { useOverview } from '@/lib/project/get-overview'
import { t } from '@/messages/home'
import { useMoreImages } from '../api/get-strip'
import { HomePanes, LastDays, type Waiting } from './home-panes'
import styles from './one-project.module.css'

/** For those who run the project: the answers of all, what waits for them, and the images. */
export function TeamHome({ project }: { project: Project }) {
  const { slug, role, counts } = project
  const overview = useOverview(slug).data
  const images = useMoreImages(slug, counts.images > 0)
  if (!overview) return null
  const { days, today, waiting } = overview
  const rows: Waiting[] = [
    { n: waiting.open, words: t.cases, to: '/projects/$slug/review' },
    { n: waiting.replies, words: t.replies, to: '/projects/$slug/feedback', search: { state: 'waiting' } },
    { n: waiting.waiting_at_gate, words: t.atGate, to: '/projects/$slug/review' },
    ...(role === 'curator'
      ? [
          { n: overview.slots_open, words: t.openTasks, to: '/projects/$slug/people' as const },
          { n: counts.releases, words: t.releases, to: '/projects/$slug/releases' as const },
        ]
      : []),
  ]
  return (
    <HomePanes
      slug={slug}
      waiting={rows}
      chart={<LastDays project={project} title={t.allAnswers} days={days} today={today} how={t.howAllAnswers} />}
    >
      {images.length > 0 && (
        <section aria-labelledby="home-images">
          <h2 id="home-images" className={styles.title}>
            {t.images}
          </h2>
          <ul className={styles.pictures}>
            {images.map(({ id, thumbnail: { small } }, at) => (
              <li key={id}>
                <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(id) }}>
                  <img src={small.url} alt={t.imageN({ n: at + 1 })} width={small.width} height={small.height} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </HomePanes>
  )
}
