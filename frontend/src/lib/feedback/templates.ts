import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { FeedbackTemplate, FeedbackTemplateIn } from '@/lib/api/served'

const getTemplates = (slug: string) =>
  unwrap(api.GET('/api/v1/projects/{slug}/feedback/templates', { params: { path: { slug } } }))

const templatesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'feedback', 'templates'],
    queryFn: () => getTemplates(slug),
    staleTime: 60_000,
  })

/** The kinds of feedback of the project, with words to start from. */
export const useTemplates = (slug: string) => useQuery(templatesQuery(slug))

function useRenewedTemplates<Sent>(slug: string, send: (sent: Sent) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'feedback'] }),
  })
}

/** Adds a template, or changes the one with this id. */
export const useSaveTemplate = (slug: string, id: number | null) =>
  useRenewedTemplates<FeedbackTemplateIn>(slug, (body) =>
    id === null
      ? unwrap(api.POST('/api/v1/projects/{slug}/feedback/templates', { params: { path: { slug } }, body }))
      : unwrap(
          api.PATCH('/api/v1/projects/{slug}/feedback/templates/{template_id}', {
            params: { path: { slug, template_id: id } },
            body,
          }),
        ),
  )

export const useDeleteTemplate = (slug: string) =>
  useRenewedTemplates<FeedbackTemplate>(slug, ({ id }) =>
    unwrap(
      api.DELETE('/api/v1/projects/{slug}/feedback/templates/{template_id}', {
        params: { path: { slug, template_id: id } },
      }),
    ),
  )
