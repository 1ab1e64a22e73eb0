import type { Corpus, CorpusEmbedding, CorpusShard, Suspect } from '@/lib/api/served'

const run = '33333333-3333-4333-8333-333333333333'

/** A model that is through two shards of two. */
export function embedding(changes: Partial<CorpusEmbedding> = {}): CorpusEmbedding {
  return {
    model: 'postcards-vision',
    model_digest: 'b'.repeat(64),
    run,
    status: 'succeeded',
    error: '',
    finished_at: '2026-01-05T10:00:00Z',
    pending: 0,
    working: 0,
    done: 2,
    refused: 0,
    n_done: 1990,
    n_skipped: 0,
    dropped: {},
    ...changes,
  }
}

export function corpus(name: string, changes: Partial<Corpus> = {}): Corpus {
  return {
    id: 5,
    name,
    folder: `/data/${name}`,
    layout: 'webdataset',
    licence: 'various',
    source: '',
    notes: '',
    digest: 'c'.repeat(64),
    n_shards: 2,
    n_pairs: 2000,
    progress: null,
    embeddings: [embedding()],
    created_at: '2026-01-05T09:00:00Z',
    ...changes,
  }
}

export function shard(position: number, changes: Partial<CorpusShard> = {}): CorpusShard {
  return {
    position,
    name: `0000${position}.tar`,
    first: 0,
    n_bytes: 1_200_000,
    n_pairs: 1000,
    state: 'done',
    n_done: 1000,
    n_skipped: 0,
    dropped: {},
    error: null,
    heartbeat_at: null,
    ...changes,
  }
}

export function suspect(id: number, changes: Partial<Suspect> = {}): Suspect {
  const thumbnail = { url: `/media/${id}.webp`, width: 320, height: 240 }
  return {
    id,
    image: id,
    image_key: `photo-${id}`,
    image_title: `Harbour ${id}`,
    thumbnail: { small: thumbnail, large: thumbnail },
    corpus: 'cc3m',
    key: `00000${id}`,
    bits: 2,
    cosine: 0.9871,
    rules: ['perceptual_hash', 'cosine'],
    decision: 'open',
    decided: null,
    created_at: '2026-01-05T10:00:00Z',
    ...changes,
  }
}
