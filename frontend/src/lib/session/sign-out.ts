import { api } from '@/lib/api/client'
import { forgetDesk } from '@/lib/store/kept-desk'
import { forgetServedDrafts } from '@/lib/store/served-drafts'

/**
 * What is not at the server yet stays, under the person's name. Drafts that the server has, and what a page without a
 * network would show, go: the next person at this browser is somebody else.
 */
export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
  await forgetDesk()
  await forgetServedDrafts()
}
