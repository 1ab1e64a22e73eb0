import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

/** The answer alone carries the link. */
export function useMakeResetLink(slug: string) {
  return useMutation({
    mutationFn: (memberId: number) =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/members/{member_id}/reset-link', {
          params: { path: { slug, member_id: memberId } },
        }),
      ),
    gcTime: 0,
  })
}
