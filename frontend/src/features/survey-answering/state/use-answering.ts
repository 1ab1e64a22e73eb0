import { useEffect, useRef, useState } from 'react'
import type { SurveyDoor, SurveyItem } from '@/lib/api/served'
import { preloadImage } from '@/lib/images/preload-image'
import { sendAnswer } from '../api/send-answer'
import { Sender } from './sender'

export type SurveyLabel = NonNullable<SurveyItem['answer']>

const mostMs = 3_600_000

export interface Answering {
  items: readonly SurveyItem[]
  /** The open pair; past the last one once all are answered. */
  at: number
  isFailing: boolean
  /** Answers that the server does not have yet. */
  waiting: number
  refusal: unknown
  /** The last answer given here and its number, so that each lights up its key once. */
  given: { n: number; label: SurveyLabel | null }
  answer: (label: SurveyLabel) => void
  back: () => void
}

/** The participant's series: where they are, what they said, and what is still to be sent. */
export function useAnswering(token: string, door: SurveyDoor): Answering {
  const [items, setItems] = useState(door.items)
  const [at, setAt] = useState(() => firstOpen(door.items))
  const [sending, setSending] = useState({ waiting: 0, isFailing: false })
  const [refusal, setRefusal] = useState<unknown>(null)
  const [given, setGiven] = useState<Answering['given']>({ n: 0, label: null })
  const shownAt = useRef(0)
  const sender = useSender(token, setSending, setRefusal)
  useEffect(() => {
    shownAt.current = performance.now()
    const next = items[at + 1]
    if (next) void preloadImage(next.image.thumbnail.large.url, 0)
  }, [at, items])
  const answer = (label: SurveyLabel) => {
    const item = items[at]
    if (!item) return
    const ms = Math.min(mostMs, Math.max(0, Math.round(performance.now() - shownAt.current)))
    sender().add(item.number, { answer: label, ms })
    const said = items.map((each) => (each === item ? { ...each, answer: label } : each))
    setItems(said)
    setGiven({ n: given.n + 1, label })
    // After a correction it goes on where the first pair without an answer is.
    setAt(item.answer === null ? at + 1 : firstOpen(said))
  }
  return { items, at, ...sending, refusal, given, answer, back: () => setAt(Math.max(0, at - 1)) }
}

const firstOpen = (items: readonly SurveyItem[]): number => {
  const place = items.findIndex(({ answer }) => answer === null)
  return place === -1 ? items.length : place
}

function useSender(
  token: string,
  onChange: (state: { waiting: number; isFailing: boolean }) => void,
  onRefused: (error: unknown) => void,
): () => Sender {
  const kept = useRef<Sender | null>(null)
  useEffect(
    () => () => {
      kept.current?.stop()
      kept.current = null
    },
    [],
  )
  return () =>
    (kept.current ??= new Sender({
      send: (number, answer) => sendAnswer(token, number, answer),
      onChange,
      onRefused,
    }))
}
