import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { t } from '@/messages/run-counts'

/** A caption that a stage made or chose, with its image, in the words of the stage. */
export interface Sample {
  id: string
  image: { id: number; name: string; url: string }
  text: string
  about: string
}

const nEach = 3

interface Pictured {
  id: number
  key: string
  thumbnail: { small: { url: string } }
}

const pictureOf = ({ id, key, thumbnail }: Pictured): Sample['image'] => ({ id, name: key, url: thumbnail.small.url })

/** The newest test questions that annotators can meet. */
async function readControls(slug: string): Promise<Sample[]> {
  const query = { limit: 2 * nEach, state: 'active' as const }
  const { results } = await unwrap(api.GET('/api/v1/projects/{slug}/controls', { params: { path: { slug }, query } }))
  return results.map(({ id, image, text, accepted }) => ({
    id: String(id),
    image: pictureOf(image),
    text,
    about: accepted.includes('good') ? t.sampleControlGood : t.sampleControlBad,
  }))
}

/** The selected captions of some images. */
async function readSelected(slug: string): Promise<Sample[]> {
  const query = { limit: nEach, status: 'selected' as const }
  const { results } = await unwrap(
    api.GET('/api/v1/projects/{slug}/selection/images', { params: { path: { slug }, query } }),
  )
  return results.flatMap(({ image, captions, n_good: n }) =>
    captions.slice(0, 2).map(({ candidate, text }) => ({
      id: String(candidate),
      image: pictureOf(image),
      text,
      about: t.sampleSelected({ n }),
    })),
  )
}

/** Captions of the hardest and of the easiest category. */
async function readRated(slug: string): Promise<Sample[]> {
  const pages = await Promise.all(
    (['hard', 'easy'] as const).map((category) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/difficulty/examples', {
          params: { path: { slug }, query: { category, limit: nEach } },
        }),
      ),
    ),
  )
  return pages.flatMap(({ results }, place) =>
    results.map(({ candidate, image, text }) => ({
      id: String(candidate),
      image: pictureOf(image),
      text,
      about: place === 0 ? t.sampleHard : t.sampleEasy,
    })),
  )
}

const readers: Readonly<Partial<Record<string, (slug: string) => Promise<Sample[]>>>> = {
  make_controls: readControls,
  select: readSelected,
  difficulty: readRated,
}

export const hasStageSamples = (stage: string): boolean => readers[stage] !== undefined

export function useStageSamples(slug: string, stage: string) {
  return useQuery({
    queryKey: ['project', slug, 'samples', 'stage', stage],
    queryFn: () => readers[stage]?.(slug) ?? [],
  })
}
