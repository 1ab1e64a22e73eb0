import { api } from '@/lib/api/client'
import { forgetDesk } from '@/lib/store/kept-desk'
import { type Row, shelf } from '@/lib/store/shelf'

const drafts = shelf<Row & { isServed?: boolean }>('drafts')

/**
 * What is not at the server yet stays, under the person's name. Drafts that the server has, and what a page without a
 * network would show, go: the next person at this browser is somebody else.
 */
export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
  await forgetDesk()
  await forgetServedDrafts()
}

export async function forgetServedDrafts(): Promise<void> {
  for (const { id, isServed } of await drafts.all()) if (isServed) await drafts.drop(id)
}
