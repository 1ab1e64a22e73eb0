import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Walk } from '@/lib/api/served'

const runningNames = (walk: Walk): Set<string> =>
  new Set(walk.stages.filter((stage) => stage.state === 'running').map((stage) => stage.name))

/** When a stage stops running, everything else that was read about the project is out of date. */
export function useFreshProject(slug: string, walk: Walk): void {
  const queryClient = useQueryClient()
  const before = useRef<Set<string>>(new Set())
  useEffect(() => {
    const now = runningNames(walk)
    const hasEnded = [...before.current].some((name) => !now.has(name))
    before.current = now
    if (!hasEnded) return
    queryClient.removeQueries({ queryKey: ['project', slug, 'images'], type: 'inactive' })
    void queryClient.invalidateQueries({ queryKey: ['project', slug] })
  }, [queryClient, slug, walk])
}
