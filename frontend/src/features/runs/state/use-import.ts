import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadFiles, type UploadProgress } from '@/lib/api/upload-files'
import { type StartRun, useStartRun } from '../api/start-run'
import type { ParameterValues } from './parameter-values'

/** Sends the chosen files, then starts the stage on them; without files it starts at once. */
export function useImport(slug: string) {
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const stopper = useRef<AbortController | null>(null)
  const { mutateAsync: start } = useStartRun(slug)

  const send = async (files: readonly File[]): Promise<ParameterValues> => {
    if (files.length === 0) return {}
    stopper.current = new AbortController()
    const upload = await uploadFiles(slug, files, setProgress, stopper.current.signal)
    return { upload: upload.id }
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ files, run }: { files: readonly File[]; run: StartRun }) => {
      const sent = await send(files)
      return start({ ...run, parameters: { ...run.parameters, ...sent } })
    },
    onSettled: () => setProgress(null),
  })
  return { begin: mutate, isPending, error, progress, stop: () => stopper.current?.abort() }
}
