import { useEffect } from 'react'
import type { Assignment, Project } from '@/lib/api/contract'
import { useObserved } from '@/lib/observed'
import { keepShell } from '@/lib/offline/keep-shell'
import { useSession } from '@/lib/session/get-session'
import { fromDesk, keepDesk } from '@/lib/store/kept-desk'

/**
 * Keeps the HITs in hand on this device, so that a reload without a network finds them; null keeps what is kept. While
 * the page itself shows what was kept, that stays: of the HIT behind the one on the desk it may not know yet.
 */
export function useKeptDesk(project: Project, assignments: readonly Assignment[] | null): void {
  const session = useSession().data
  const isFromDesk = useObserved(fromDesk)
  const names = assignments?.map(({ id }) => id).join()
  useEffect(() => void keepShell(), [])
  useEffect(() => {
    if (session?.user && assignments && !isFromDesk) void keepDesk({ session, project, assignments })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- Two lists of the same HITs are the same hand.
  }, [session, project, names, isFromDesk])
}
