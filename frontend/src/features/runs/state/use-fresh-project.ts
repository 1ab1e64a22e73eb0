import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Walk } from '@/lib/api/served'

const runningNames = (walk: Walk): Set<string> =>
  new Set(walk.stages.filter((stage) => stage.state === 'running').map((stage) => stage.name))

/** When a stage starts, the list of runs is out of date; when one ends, everything that was read about the project. */
export function useFreshProject(slug: string, walk: Walk): void {
  const queryClient = useQueryClient()
  const before = useRef<Set<string>>(new Set())
  useEffect(() => {
    const now = runningNames(walk)
    const hasEnded = [...before.current].some((name) => !now.has(name))
    const hasBegun = [...now].some((name) => !before.current.has(name))
    before.current = now
    if (hasBegun) void queryClient.invalidateQueries({ queryKey: ['project', slug, 'runs'] })
    if (!hasEnded) return
    queryClient.removeQueries({ queryKey: ['project', slug, 'images'], type: 'inactive' })
    void queryClient.invalidateQueries({ queryKey: ['project', slug] })
  }, [queryClient, slug, walk])
}
