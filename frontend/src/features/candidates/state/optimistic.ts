import type { Candidate } from '@/lib/api/served'

export type Verdict = 'keep' | 'drop'

/** What a caption will probably be once the server has agreed. */
export function afterVerdict(decision: { candidate: Candidate; verdict: Verdict; reason: string }): Candidate {
  const { candidate, verdict, reason } = decision
  const settled = { ...candidate, repeats: null, drop_rule: '', drop_detail: '' }
  if (verdict === 'keep') return { ...settled, status: 'kept', text: candidate.text || candidate.raw_text }
  const bare = { ...settled, text: '', flags: [], suggestions: [], generic: null }
  return { ...bare, status: 'dropped', drop_rule: 'by_hand', drop_detail: reason }
}
