/** Judgments made elsewhere, sent in a file. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { formOf } from '@/lib/api/form-of'
import type { JudgmentImport } from '@/lib/api/served'

export interface JudgmentFile {
  file: File
  /** ConQA's seed.json, for votes that name their queries by number. */
  queries: File | null
  /** What the file's labels are of ours: fits=good,misses=bad. */
  labels: string
  /** What a table calls its columns, empty where it has the usual names; `label` may be a choice of Label Studio's. */
  task: string
  worker: string
  label: string
  /** Who made a file that names nobody. */
  annotator: string
}

const importJudgments = (slug: string, sent: JudgmentFile): Promise<JudgmentImport> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/judgments/import', {
      params: { path: { slug } },
      body: { file: '' },
      bodySerializer: () => formOf({ ...sent }),
    }),
  )

/** They count in every figure of the project. */
export function useImportJudgments(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (sent: JudgmentFile) => importJudgments(slug, sent),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['project', slug] }),
  })
}
