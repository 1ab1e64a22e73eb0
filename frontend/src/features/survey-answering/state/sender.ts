import { asApiError } from '@/lib/api/api-error'
import type { SurveyAnswer } from '@/lib/api/served'

const firstRestMs = 1000
const longestRestMs = 15_000

export interface SenderHooks {
  send: (number: number, answer: SurveyAnswer) => Promise<unknown>
  /** How many answers wait, and whether the last try failed. */
  onChange: (state: { waiting: number; isFailing: boolean }) => void
  /** The server refuses the answers for good. */
  onRefused: (error: unknown) => void
}

/** Sends answers one after the other, the last word on each pair, and tries again while the server cannot be reached. */
export class Sender {
  private readonly hooks: SenderHooks
  private readonly waiting = new Map<number, SurveyAnswer>()
  private isSending = false
  private isStopped = false

  constructor(hooks: SenderHooks) {
    this.hooks = hooks
  }

  add(number: number, answer: SurveyAnswer): void {
    this.waiting.set(number, answer)
    this.tell(false)
    if (!this.isSending) void this.work()
  }

  stop(): void {
    this.isStopped = true
  }

  private async work(): Promise<void> {
    this.isSending = true
    let rest = firstRestMs
    for (let next = this.next(); next && !this.isStopped; next = this.next()) {
      const [number, answer] = next
      try {
        await this.hooks.send(number, answer)
        // Another answer to the same pair may have come meanwhile.
        if (this.waiting.get(number) === answer) this.waiting.delete(number)
        rest = firstRestMs
        this.tell(false)
      } catch (error) {
        if (!asApiError(error).isPassing) {
          this.waiting.clear()
          this.hooks.onRefused(error)
          break
        }
        this.tell(true)
        const ms = Math.max(rest, asApiError(error).restMs)
        await new Promise((over) => setTimeout(over, ms))
        rest = Math.min(2 * rest, longestRestMs)
      }
    }
    this.isSending = false
  }

  private next(): readonly [number, SurveyAnswer] | undefined {
    return this.waiting.entries().next().value
  }

  private tell(isFailing: boolean): void {
    this.hooks.onChange({ waiting: this.waiting.size, isFailing })
  }
}
