import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/run-counts'

/** A caption that a stage made or chose, with its image, in the words of the stage. */
export interface Sample {
  id: string
  /** Nothing where the stage is about queries; without a number where annotators see the image. */
  image: { id: number | null; name: string; url: string } | null
  text: string
  about: string
}

const nEach = 3
const nImages = 4

/** Not a stage: the search for captions finds these on its way. */
export const nearDuplicates = 'near_duplicates'

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

/** Some images of the project, with what a list of each of them holds. */
async function ofImages(slug: string, read: (imageId: number) => Promise<Pair[]>): Promise<Sample[]> {
  const query = { limit: nImages }
  const { results } = await unwrap(api.GET('/api/v1/projects/{slug}/images', { params: { path: { slug }, query } }))
  const lists = await Promise.all(results.map(({ id }) => read(id)))
  return results.flatMap((image, place) =>
    (lists[place] ?? []).slice(0, 2).map((pair) => ({ ...pair, image: pictureOf(image) })),
  )
}

type Pair = Omit<Sample, 'image'>

/** Captions with their answers and the result. */
const readDecided = (slug: string): Promise<Sample[]> =>
  ofImages(slug, async (image_id) => {
    const { results } = await unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/votes', {
        params: { path: { slug, image_id }, query: { limit: 2 } },
      }),
    )
    return results.map(({ candidate, text, label, n_good: good, n_bad: bad, n_unsure: unsure }) => ({
      id: String(candidate),
      text,
      about: t.sampleVotes({ result: label ? resultNames[label] : t.sampleNoResult, good, bad, unsure }),
    }))
  })

const resultNames = { good: t.sampleGood, bad: t.sampleBad, unsure: t.sampleUnsure } as const

/** Numbers have no options: the person writes another. */
const suggestionInWords = ({ before, options }: { before: string; options: readonly string[] }): string =>
  options.length > 0
    ? t.sampleSuggested({ before, after: options.slice(0, nEach).join(', ') })
    : t.sampleMarked({ before })

/** Captions with the first words that a suggestion would change. */
const readSuggested = (slug: string): Promise<Sample[]> =>
  ofImages(slug, async (image_id) => {
    const { results } = await unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
        params: { path: { slug, image_id }, query: { limit: 20, status: 'kept' } },
      }),
    )
    return results.flatMap(({ id, text, suggestions: [first] }) =>
      first
        ? [
            {
              id: String(id),
              text,
              about: suggestionInWords(first),
            },
          ]
        : [],
    )
  })

/** Captions that fit many images, as far as some images have them. */
const readGeneric = (slug: string): Promise<Sample[]> =>
  ofImages(slug, async (image_id) => {
    const { results } = await unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
        params: { path: { slug, image_id }, query: { limit: 2, sort: 'generic', status: 'kept' } },
      }),
    )
    return results.flatMap(({ id, text, generic }) =>
      generic && generic.n_matched > 0
        ? [{ id: String(id), text, about: t.sampleMatched({ n: generic.n_matched }) }]
        : [],
    )
  })

/** The first captions of two tasks, as annotators see them. */
async function readTasks(slug: string): Promise<Sample[]> {
  const read = async (after: number) => {
    const query = { after }
    const { hit } = await unwrap(api.GET('/api/v1/projects/{slug}/preview', { params: { path: { slug }, query } }))
    return hit
  }
  const first = await read(0)
  const second = first && (await read(first.id))
  return [first, second?.id === first?.id ? null : second].flatMap((hit, place) =>
    hit === null
      ? []
      : hit.items.slice(0, nEach).map((item) => {
          const image = item.image ?? hit.image
          return {
            id: `${String(hit.id)} ${String(item.position)}`,
            image: image && { id: null, name: image.alt, url: image.thumbnail.small.url },
            text: item.text ?? hit.query?.text ?? '',
            about: t.sampleTask({ task: place + 1, n: item.position, all: hit.items.length }),
          }
        }),
  )
}

/** Captions of the newest release. */
async function readReleased(slug: string): Promise<Sample[]> {
  const { results } = await unwrap(
    api.GET('/api/v1/projects/{slug}/releases', { params: { path: { slug }, query: { limit: 1 } } }),
  )
  const [newest] = results
  if (!newest) return []
  const entries = await unwrap(
    api.GET('/api/v1/releases/{release_id}/entries', {
      params: { path: { release_id: newest.id }, query: { limit: nEach } },
    }),
  )
  return entries.results.flatMap(({ image, captions }) =>
    captions.slice(0, 2).map(({ key, text, n_good: good, n_bad: bad, n_unsure: unsure }) => ({
      id: key,
      image: image.thumbnail && { id: null, name: image.key, url: image.thumbnail.small.url },
      text,
      about: t.sampleAnswers({ good, bad, unsure }),
    })),
  )
}

/** Images that look like an image of a corpus, the closest first. */
async function readSuspects(slug: string): Promise<Sample[]> {
  const query = { limit: 2 * nEach }
  const { results } = await unwrap(api.GET('/api/v1/projects/{slug}/suspects', { params: { path: { slug }, query } }))
  return results.map(({ id, image, image_key: key, image_title: title, thumbnail, corpus, key: other, cosine }) => ({
    id: String(id),
    image: { id: image, name: key, url: thumbnail.small.url },
    text: title || key,
    about: t.sampleSuspect({ corpus, other, cosine: cosine === null ? '–' : formatDecimal(cosine, 3) }),
  }))
}

/** Queries, with the number of images that people judge for each. */
async function readQueries(slug: string): Promise<Sample[]> {
  const query = { limit: 2 * nEach }
  const { results } = await unwrap(api.GET('/api/v1/projects/{slug}/queries', { params: { path: { slug }, query } }))
  return results.map(({ id, text, n_images: n }) => ({
    id: String(id),
    image: null,
    text,
    about: t.sampleQuery({ n }),
  }))
}

const readers: Readonly<Partial<Record<string, (slug: string) => Promise<Sample[]>>>> = {
  make_controls: readControls,
  select: readSelected,
  difficulty: readRated,
  consensus: readDecided,
  suggest_edits: readSuggested,
  generic: readGeneric,
  build_hits: readTasks,
  release: readReleased,
  import_queries: readQueries,
  [nearDuplicates]: readSuspects,
}

export const hasStageSamples = (stage: string): boolean => readers[stage] !== undefined

export function useStageSamples(slug: string, stage: string) {
  return useQuery({
    queryKey: ['project', slug, 'samples', 'stage', stage],
    queryFn: () => readers[stage]?.(slug) ?? [],
  })
}
