import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Candidate, Example } from '@/lib/api/served'

export type Verdict = 'keep' | 'drop'

/** What a caption will probably be once the server has agreed. */
export function afterVerdict(decision: { candidate: Candidate; verdict: Verdict; reason: string }): Candidate {
  const { candidate, verdict, reason } = decision
  const settled = { ...candidate, repeats: null, drop_rule: '', drop_detail: '' }
  if (verdict === 'keep') return { ...settled, status: 'kept', text: candidate.text || candidate.raw_text }
  const bare = { ...settled, text: '', flags: [], suggestions: [], generic: null }
  return { ...bare, status: 'dropped', drop_rule: 'by_hand', drop_detail: reason }
}

interface Rows<Row> {
  results: Row[]
}

type Pages<Row> = InfiniteData<Rows<Row>> | undefined

const patchPages = <Row>(data: Pages<Row>, patch: (row: Row) => Row): Pages<Row> =>
  data && { ...data, pages: data.pages.map((page) => ({ ...page, results: page.results.map(patch) })) }

/** Puts the newest state of a caption into every list that shows it, where it stands. */
export function patchLists(queryClient: QueryClient, slug: string, candidate: Candidate): void {
  queryClient.setQueriesData<InfiniteData<Rows<Candidate>>>({ queryKey: ['project', slug, 'pool'] }, (data) =>
    patchPages(data, (row) => (row.id === candidate.id ? candidate : row)),
  )
  queryClient.setQueriesData<InfiniteData<Rows<Example>>>({ queryKey: ['project', slug, 'examples'] }, (data) =>
    patchPages(data, (row) => (row.candidate.id === candidate.id ? { ...row, candidate } : row)),
  )
}
