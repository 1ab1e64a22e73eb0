import type { QueryClient } from '@tanstack/react-query'
import { type ApiError, asApiError } from '@/lib/api/api-error'
import type { Submitted } from '@/lib/api/contract'
import { type Observed, observed } from '@/lib/observed'
import { shelf } from '@/lib/store/shelf'
import { exclusively } from '@/lib/tabs/exclusively'
import { submitAssignment, type Wish } from '../api/submit-assignment'
import { byTime, type Outgoing } from './outgoing'

export interface OutboxState {
  /** In the order in which they are sent, the one on its way among them. */
  waiting: readonly Outgoing[]
  /** What the server does not take; nothing waits for it. */
  refused: readonly Outgoing[]
  /** What stopped the sending: the network, the server, a session that ended. */
  obstacle: ApiError | null
}

/** Who hands out the HITs: says what a submission shall bring along, and takes it. */
export interface Counter {
  wishFor: (outgoing: Outgoing) => Wish | null
  accept: (outgoing: Outgoing, answer: Submitted, wish: Wish | null) => Promise<void>
}

const rows = shelf<Outgoing>('outbox')
const nothing: OutboxState = { waiting: [], refused: [], obstacle: null }
const quietRetries = 2
const pauseMs = 400
const longestPauseMs = 5000

/**
 * Everything one person submitted and the server has not answered. It lies in the browser's storage before it is sent,
 * is sent in order and by one tab at a time, and goes when the server has it: a crash in between sends it again, under
 * the same key.
 */
export class Outbox implements Observed<OutboxState> {
  #state = observed(nothing)
  /** Put in this page and not yet read back: a reading that began before must not lose them. */
  #fresh = new Map<string, Outgoing>()
  #gone = new Set<string>()
  #writing: Promise<unknown> = Promise.resolve()
  #running: Promise<void> | null = null
  #isAsked = false
  #counters: Counter[] = []

  readonly owner: string

  constructor(owner: string) {
    this.owner = owner
  }

  subscribe = this.#state.subscribe
  snapshot = this.#state.snapshot

  /** The newest counter serves, for as long as its page is open. */
  attach(counter: Counter): () => void {
    this.#counters = [counter, ...this.#counters]
    return () => {
      this.#counters = this.#counters.filter((each) => each !== counter)
    }
  }

  /** Takes it in and sends it; what lay here of the same HIT is replaced. */
  put(outgoing: Outgoing): void {
    const { waiting, refused } = this.snapshot()
    const replaced = [...waiting, ...refused].filter(({ assignmentId }) => assignmentId === outgoing.assignmentId)
    replaced.forEach(({ id }) => this.drop(id))
    this.#gone.delete(outgoing.id)
    this.#fresh.set(outgoing.id, outgoing)
    this.#show([...this.#all(), outgoing])
    this.#writing = Promise.all([this.#writing, rows.put(outgoing)])
    void this.send()
  }

  /** Takes it out unsent. */
  drop(id: string): void {
    this.#forget(id)
    this.#writing = Promise.all([this.#writing, rows.drop(id)])
  }

  /** What lies in the storage, another tab's work included. */
  async read(): Promise<OutboxState> {
    await this.#writing
    const found = (await rows.all()).filter(({ id, owner }) => owner === this.owner && !this.#gone.has(id))
    const read = new Set(found.map(({ id }) => id))
    read.forEach((id) => this.#fresh.delete(id))
    this.#show([...found, ...this.#fresh.values()])
    return this.snapshot()
  }

  /** Sends what waits, one after the other, until nothing does or something is in the way. */
  send(): Promise<void> {
    this.#isAsked = true
    this.#running ??= exclusively(`connote.outbox.${this.owner}`, () => this.#sendAll()).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #sendAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false
      let [first] = (await this.read()).waiting
      while (first && (await this.#sendOne(first))) [first] = (await this.read()).waiting
    }
  }

  /** Whether the one behind it may go. */
  async #sendOne(outgoing: Outgoing): Promise<boolean> {
    const [counter] = this.#counters
    const wish = counter?.wishFor(outgoing) ?? null
    let answer: Submitted
    try {
      answer = await patiently(() => submitAssignment(outgoing, wish))
    } catch (reason) {
      return this.#stumble(outgoing, asApiError(reason))
    }
    await rows.drop(outgoing.id)
    await counter?.accept(outgoing, answer, wish)
    this.#forget(outgoing.id)
    this.#change({ obstacle: null })
    return true
  }

  #stumble(outgoing: Outgoing, error: ApiError): boolean {
    if (isInTheWay(error)) {
      this.#change({ obstacle: error })
      return false
    }
    const { status, code, message } = error
    const refused = { ...outgoing, refusal: { status, code, message } }
    this.#show([...this.#all().filter(({ id }) => id !== outgoing.id), refused])
    this.#writing = Promise.all([this.#writing, rows.put(refused)])
    return true
  }

  #forget(id: string): void {
    this.#gone.add(id)
    this.#fresh.delete(id)
    this.#show(this.#all().filter((each) => each.id !== id))
  }

  #all = (): Outgoing[] => [...this.snapshot().waiting, ...this.snapshot().refused]

  #show(all: readonly Outgoing[]): void {
    const inOrder = [...all].sort(byTime)
    const waiting = inOrder.filter(({ refusal }) => refusal === null)
    const refused = inOrder.filter(({ refusal }) => refusal !== null)
    const { obstacle } = this.snapshot()
    this.#change({ waiting, refused, obstacle: waiting.length > 0 ? obstacle : null })
  }

  #change(change: Partial<OutboxState>): void {
    const next = { ...this.snapshot(), ...change }
    if (!isSame(this.snapshot(), next)) this.#state.set(next)
  }
}

/** Nobody is told of a change that is none. */
const isSame = (a: OutboxState, b: OutboxState): boolean =>
  a.obstacle === b.obstacle && namesOf(a.waiting) === namesOf(b.waiting) && namesOf(a.refused) === namesOf(b.refused)

const namesOf = (all: readonly Outgoing[]): string => all.map(({ id }) => id).join()

/** Worth keeping for later: it is not the work that is at fault. */
const isInTheWay = (error: ApiError): boolean => error.isPassing || error.isSignedOut || error.status === 0

/** A stumbling server is asked again twice without a word, when it wants to be; being offline is told at once. */
async function patiently<Answer>(ask: () => Promise<Answer>, tries = 0): Promise<Answer> {
  try {
    return await ask()
  } catch (reason) {
    const error = asApiError(reason)
    const isTold = error.isOffline || error.restMs > longestPauseMs
    if (tries === quietRetries || !error.isPassing || isTold) throw reason
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs * 2 ** tries, error.restMs)))
    return patiently(ask, tries + 1)
  }
}

const outboxes = new WeakMap<QueryClient, Map<string, Outbox>>()

/** The one outbox of this person in this page. */
export function outboxOf(queryClient: QueryClient, owner: string): Outbox {
  const mine = outboxes.get(queryClient) ?? new Map<string, Outbox>()
  outboxes.set(queryClient, mine)
  const found = mine.get(owner) ?? new Outbox(owner)
  mine.set(owner, found)
  return found
}
