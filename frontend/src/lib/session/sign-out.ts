import { api } from '@/lib/api/client'

export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
}
