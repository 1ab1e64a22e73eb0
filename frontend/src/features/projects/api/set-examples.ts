import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { GuidelineExampleIn, GuidelineExamples } from '@/lib/api/served'
import { examplesQuery } from '@/lib/project/get-examples'
import { projectQuery } from '@/lib/project/get-project'

export interface ExamplesChange {
  /** The project's version these examples were changed on. */
  version: number
  examples: GuidelineExampleIn[]
}

const setExamples = (slug: string, body: ExamplesChange): Promise<GuidelineExamples> =>
  unwrap(api.PUT('/api/v1/projects/{slug}/guidelines/examples', { params: { path: { slug } }, body }))

/** The examples change with the project, whose version grows. */
export function useSetExamples(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ExamplesChange) => setExamples(slug, change),
    onSuccess: (saved) => {
      queryClient.setQueryData(examplesQuery(slug).queryKey, saved)
      queryClient.setQueryData(
        projectQuery(slug).queryKey,
        (project) => project && { ...project, version: saved.version },
      )
    },
  })
}
