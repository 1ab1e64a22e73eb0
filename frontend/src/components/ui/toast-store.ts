import { type Observed, observed } from '@/lib/observed'

/** Short messages that need no answer. */
export interface Toast {
  id: number
  text: string
  tone: 'neutral' | 'bad'
}

const lifeMs = 6000
const toasts = observed<readonly Toast[]>([])
let lastId = 0

export function dismissToast(id: number): void {
  toasts.set(toasts.snapshot().filter((toast) => toast.id !== id))
}

/** Shows a sentence for six seconds; one that is there already is not shown twice. */
export function showToast(text: string, tone: Toast['tone'] = 'neutral'): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.snapshot().filter((toast) => toast.text !== text), { id, text, tone }])
  setTimeout(() => dismissToast(id), lifeMs)
}

export const toastStore: Observed<readonly Toast[]> = toasts
