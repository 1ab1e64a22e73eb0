import { type Observed, observed } from '@/lib/observed'
import { type Action, assertNoSharedKeys } from './action'
import { belongsToControl, isComposing, isTyping, pressedKeys } from './keys'

/** Holds the actions alive on the screen, finds the one a key press means, and tells who listens. */
export class ActionRegistry implements Observed<readonly Action[]> {
  #groups = new Map<symbol, readonly Action[]>()
  #alive = observed<readonly Action[]>([])
  #suspensions = 0

  subscribe = this.#alive.subscribe
  snapshot = this.#alive.snapshot

  /** Adds a group of actions; returns the way to take them out again. Throws SharedKeyError on a clash. */
  register(actions: readonly Action[]): () => void {
    const token = Symbol('actions')
    assertNoSharedKeys([...this.all, ...actions])
    this.#groups.set(token, actions)
    this.#changed()
    return () => {
      this.#groups.delete(token)
      this.#changed()
    }
  }

  /** While something modal is open no key reaches the page under it. */
  suspend(): () => void {
    this.#suspensions += 1
    return () => {
      this.#suspensions -= 1
    }
  }

  get all(): readonly Action[] {
    return this.snapshot()
  }

  find(id: string): Action | undefined {
    return this.all.find((action) => action.id === id)
  }

  handleKeyDown = (event: KeyboardEvent): void => {
    const action = this.#actionFor(event)
    if (!action) return
    event.preventDefault()
    // A key held down moves on and on; it does not decide on all that comes by.
    if (event.repeat && action.decides) return
    action.perform()
  }

  #actionFor(event: KeyboardEvent): Action | undefined {
    if (this.#suspensions > 0 || event.defaultPrevented || isComposing(event)) return undefined
    if (isTyping(event.target) || belongsToControl(event)) return undefined
    const pressed = pressedKeys(event)
    for (const key of pressed) {
      const owner = this.all.find((action) => action.keys.includes(key) && (action.when?.() ?? true))
      if (owner) return owner
    }
    return undefined
  }

  #changed(): void {
    this.#alive.set([...this.#groups.values()].flat())
  }
}
