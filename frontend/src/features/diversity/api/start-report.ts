import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, unwrap } from '@/lib/api/client'
import { uploadFiles, type UploadProgress } from '@/lib/api/upload-files'

/** A dataset by its name, or files that are uploaded first. */
export type AskedDataset = string | readonly File[]

export interface Asked {
  first: AskedDataset
  second: AskedDataset
  images: number
  model: string
  clip: string
  bertscore: string
}

/** Sends the chosen files, then starts the stage that makes a report. */
export function useStartReport(slug: string) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const stopper = useRef<AbortController | null>(null)

  const nameOf = async (asked: AskedDataset, signal: AbortSignal): Promise<string> =>
    typeof asked === 'string' ? asked : `upload:${(await uploadFiles(slug, asked, setProgress, signal)).id}`

  const { mutate, isPending, error } = useMutation({
    mutationFn: async (asked: Asked) => {
      const { signal } = (stopper.current = new AbortController())
      const first = await nameOf(asked.first, signal)
      const second = await nameOf(asked.second, signal)
      setProgress(null)
      return unwrap(
        api.POST('/api/v1/projects/{slug}/runs', {
          params: { path: { slug } },
          body: { stage: 'diversity', parameters: { ...asked, first, second }, seed: 0 },
        }),
      )
    },
    onSettled: () => {
      setProgress(null)
      return queryClient.invalidateQueries({ queryKey: ['project', slug, 'diversity'] })
    },
  })
  return { start: mutate, isPending, error, progress, stop: () => stopper.current?.abort() }
}
