/** Short messages that need no answer. */
export interface Toast {
  id: number
  text: string
  tone: 'neutral' | 'bad'
}

type Listener = () => void

const lifeMs = 6000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<Listener>()

function replace(next: readonly Toast[]): void {
  toasts = next
  listeners.forEach((listener) => listener())
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id))
}

/** Shows a sentence for six seconds. */
export function showToast(text: string, tone: Toast['tone'] = 'neutral'): void {
  lastId += 1
  const id = lastId
  replace([...toasts, { id, text, tone }])
  setTimeout(() => dismissToast(id), lifeMs)
}

export const toastStore = {
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  snapshot: (): readonly Toast[] => toasts,
}
