import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api/client'

/** The slug, typed by the person, is the confirmation. */
export function useDeleteProject(slug: string) {
  return useMutation({
    mutationFn: async (typed: string) => {
      await api.POST('/api/v1/projects/{slug}/delete', { params: { path: { slug } }, body: { slug: typed } })
    },
  })
}
