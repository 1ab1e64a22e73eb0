import { asApiError } from '@/lib/api/api-error'
import type { Assignment, Project, Session } from '@/lib/api/contract'
import { type Observed, observed } from '@/lib/observed'
import { shelf } from './shelf'

/** What stood on the desk last, for a page that is opened anew without a network: one desk, of one person. */
export interface KeptDesk {
  session: Session
  project: Project
  /** The HIT on the desk, and the one in hand behind it. */
  assignments: readonly Assignment[]
}

interface KeptRow extends KeptDesk {
  id: string
  keptAt: number
}

const id = 'desk'
/** As long as the links to pictures hold at the least. */
const keepMs = 12 * 3_600_000
const desks = shelf<KeptRow>('desk')
const isFromDesk = observed(false)

export const keepDesk = (desk: KeptDesk, now = Date.now()): Promise<void> => desks.put({ ...desk, id, keptAt: now })

export const forgetDesk = (): Promise<void> => desks.drop(id)

/** Another person at this browser, or nobody: what the last one had in hand is not theirs to see. */
export async function forgetDeskOfOthers(username: string | undefined): Promise<void> {
  const desk = await desks.get(id)
  if (desk && desk.session.user?.username !== username) await forgetDesk()
}

/** What the server says; where it cannot be reached, what is found of it on the desk that was kept here. */
export async function orFromDesk<Answer>(
  ask: () => Promise<Answer>,
  find: (desk: KeptDesk) => Answer | null,
  now = Date.now(),
): Promise<Answer> {
  try {
    const answer = await ask()
    isFromDesk.set(false)
    return answer
  } catch (error) {
    const desk = asApiError(error).isOffline ? await desks.get(id) : undefined
    const found = desk && now - desk.keptAt < keepMs ? find(desk) : null
    if (found === null) throw error
    isFromDesk.set(true)
    return found
  }
}

/** Whether what is shown was kept here, since the server could not be reached. */
export const fromDesk: Observed<boolean> = isFromDesk

globalThis.addEventListener('online', () => isFromDesk.set(false))
