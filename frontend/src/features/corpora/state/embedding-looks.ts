import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Corpus, CorpusEmbedding } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/corpora'

export const isLive = ({ status }: CorpusEmbedding): boolean => status === 'queued' || status === 'running'

export interface Look {
  tone: Tone
  icon: IconName
  word: string
}

/** How far a model is with a corpus, in colour, sign and word. */
export function lookOf(embedding: CorpusEmbedding): Look {
  if (isLive(embedding)) return { tone: 'accent', icon: 'play', word: t.beingEmbedded }
  if (embedding.status === 'cancelled') return { tone: 'unsure', icon: 'stop', word: t.cancelled }
  if (embedding.refused > 0) return { tone: 'failed', icon: 'alert', word: t.shardsRefused }
  if (embedding.status === 'failed') return { tone: 'failed', icon: 'cross', word: t.failed }
  return { tone: 'done', icon: 'check', word: t.embedded }
}

const states = [
  ['done', t.saidDone],
  ['working', t.saidAtWork],
  ['pending', t.saidWaiting],
  ['refused', t.saidRefused],
] as const

export const shardsOf = ({ done, working, pending, refused }: CorpusEmbedding): number =>
  done + working + pending + refused

/** "3 of 5 shards done, 1 at work, 1 refused". */
export function shardWords(embedding: CorpusEmbedding): string {
  const others = states.slice(1).filter(([state]) => embedding[state] > 0)
  const rest = others.map(([state, word]) => `${formatCount(embedding[state])} ${word}`)
  return [t.shardsDone({ done: embedding.done, n: shardsOf(embedding) }), ...rest].join(', ')
}

/** A reason code as words: "no_caption" -> "no caption". */
export const reasonWords = (code: string): string => code.replaceAll('_', ' ')

const layouts: Record<string, string> = {
  webdataset: t.layoutWebdataset,
  parquet: t.layoutParquet,
  coco: t.layoutCoco,
  imagefolder: t.layoutImagefolder,
  url_table: t.layoutUrls,
}

export const layoutWords = (layout: string): string => layouts[layout] ?? layout

/** Whether some model has been through the corpus, or through what of it can be read. */
export const isEmbedded = ({ embeddings }: Corpus): boolean => embeddings.some(({ done }) => done > 0)
