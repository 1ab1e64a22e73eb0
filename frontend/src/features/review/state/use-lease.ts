import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asApiError } from '@/lib/api/api-error'
import { caseQuery, leaseCase, releaseCase } from '../api/cases'

/** A lease lasts ten minutes: it is taken again before that while the case is open. */
const renewMs = 5 * 60_000

/**
 * Takes the open case, so that no other head annotator decides it too, and gives it back when it is left. Tells why it
 * could not be had; null while it is ours, or on its way.
 */
export function useLease(slug: string, id: number, isWanted: boolean): string | null {
  const client = useQueryClient()
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    let isLeft = false
    const take = async () => {
      try {
        const detail = await leaseCase(slug, id)
        if (isLeft) return
        client.setQueryData(caseQuery(slug, id).queryKey, detail)
        setRefusal(null)
      } catch (refused) {
        const error = asApiError(refused)
        // A network that fails for a moment is told by the decision itself.
        if (!isLeft && error.status === 409) setRefusal(error.message)
      }
    }
    void take()
    const timer = setInterval(() => void take(), renewMs)
    return () => {
      isLeft = true
      clearInterval(timer)
      void releaseCase(slug, id).catch(() => undefined)
    }
  }, [client, slug, id, isWanted])
  return refusal
}
