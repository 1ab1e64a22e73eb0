import type { ZoomTransform } from 'd3-zoom'

type Listener = (view: ZoomTransform) => void

/** Maps with the same link show the same part: what one of them moves to, the others do as well. */
export class ViewLink {
  readonly #listeners = new Set<Listener>()

  join(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A map that shows this part already does nothing, so that the teller is not told for ever. */
  tell(view: ZoomTransform): void {
    for (const listener of this.#listeners) listener(view)
  }
}
