import { useMutation, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

/** The two parts of a link for a new password, which stand behind the # so that no server keeps them. */
export interface ResetLink {
  uid: string
  token: string
}

export function readResetLink(hash: string): ResetLink {
  const [uid = '', ...rest] = hash.replace(/^#/, '').split('.')
  return { uid, token: rest.join('.') }
}

/** Whose password the link is for. */
export const useResetDoor = (link: ResetLink, isReady: boolean) =>
  useQuery({
    queryKey: ['password-reset', link.uid, link.token],
    queryFn: () => unwrap(api.POST('/api/v1/password-reset/check', { body: link })),
    enabled: isReady,
    gcTime: 0,
  })

export function useResetPassword() {
  return useMutation({
    mutationFn: async (body: ResetLink & { password: string }) => {
      await api.POST('/api/v1/password-reset/confirm', { body })
    },
    gcTime: 0,
  })
}

export function useMailResetLink() {
  return useMutation({
    mutationFn: async (email: string) => {
      await api.POST('/api/v1/password-reset', { body: { email } })
    },
  })
}
