import { api } from '@/lib/api/client'
import { forgetDesk } from '@/lib/store/kept-desk'

/** Drafts and what waits to be sent stay, under the person's name; what a page without a network would show goes. */
export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
  await forgetDesk()
}
