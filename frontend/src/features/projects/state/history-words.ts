import type { LabelLooks } from '@/components/ui/label-looks'
import type { HistoryEntry, PolicyRule } from '@/lib/api/served'
import { roleNames } from '@/lib/project/roles'
import { t } from '@/messages/history'
import { type Knobs, knobInWords, knobTitles, toPercent } from './knobs'

export type RuleInWords = (rule: PolicyRule) => string

/** One field of an entry. Without `before`, `after` alone is said: it is new, or it names what was changed. */
export interface Change {
  title: string
  before: string | null
  after: string | null
  isMove: boolean
}

/** What an entry changed, field by field; what has no name here stays in the table of all changes. */
export function changesOf(
  { before, after }: Pick<HistoryEntry, 'before' | 'after'>,
  rule: RuleInWords,
  looks: LabelLooks,
): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name): Change[] => {
    if (name === 'rules') return listChanges(t.rule, before[name], after[name], (each) => rule(each as PolicyRule))
    if (name === 'examples')
      return listChanges(t.example, before[name], after[name], (each) => exampleInWords(each, looks))
    const title = titleOf(name)
    if (!title) return []
    const [was, now] = [before[name], after[name]].map((value) => inWords(name, value, looks))
    const isMove = name in before && name in after && was !== now
    return [{ title, before: was ?? null, after: isMove ? (now ?? null) : (now ?? was ?? null), isMove }]
  })
}

/** What left a list, and what came to it. */
function listChanges(title: string, before: unknown, after: unknown, say: (each: unknown) => string): Change[] {
  const [was, now] = [before, after].map((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const missingIn = (list: readonly unknown[] = []) => {
    const known = new Set(list.map((each) => JSON.stringify(each)))
    return (each: unknown) => !known.has(JSON.stringify(each))
  }
  return [
    ...(was ?? [])
      .filter(missingIn(now))
      .map((each) => ({ title: t.removed({ title }), before: null, after: say(each), isMove: false })),
    ...(now ?? [])
      .filter(missingIn(was))
      .map((each) => ({ title: t.added({ title }), before: null, after: say(each), isMove: false })),
  ]
}

function exampleInWords(example: unknown, looks: LabelLooks): string {
  const { image, text, label } = example as Record<'image' | 'text' | 'label', string>
  return t.exampleOf({ image, text, label: codeInWords(label, looks) })
}

const titles: Readonly<Record<string, string>> = {
  role: t.role,
  difficulty_rule: t.rule,
  version: t.version,
  note: t.note,
  n_annotators_changed: t.statusChanges,
  asks_guidelines: t.mustRead,
  n_questions: t.quizQuestions,
  pass_mark: t.rightNeeded,
  max_attempts: t.attempts,
  retry_after_minutes: t.minutesUntil,
  valid_days: t.daysHolds,
  passes_anew: t.everybodyAgain,
  image: t.image,
  text: t.text,
  accepted: t.accepted,
  reason: t.reason,
  explanation: t.explanation,
  n: t.nQuestions,
  n_quiz: t.nQuizQuestions,
  state: t.status,
  decided: t.decision,
  first_assignments: t.firstAssignments,
  sample_percent: t.samplePercent,
  ties: t.ties,
  low_agreement: t.lowAgreement,
  failed_controls: t.failedControls,
  comments: t.comments,
  edits: t.edits,
  generic: t.generic,
  policy_requests: t.policyRequests,
  replies: t.replies,
  gate_after: t.gateAfter,
  second_look_percent: t.secondLook,
  host: t.webhookHost,
  events: t.webhookEvents,
  is_enabled: t.webhookIsEnabled,
}

const isKnob = (name: string): name is keyof Knobs => name in knobTitles

const titleOf = (name: string): string | undefined => titles[name] ?? (isKnob(name) ? knobTitles[name] : undefined)

/** Words of the server for states and decisions. */
const words: Readonly<Record<string, string>> = {
  active: t.active,
  warned: t.warned,
  paused: t.paused,
  excluded: t.excluded,
  quarantined: t.quarantined,
  retired: t.retired,
  policy: t.byTheRules,
  reviewed: t.looked,
}

const isLabel = (code: string): code is keyof LabelLooks => ['good', 'bad', 'unsure'].includes(code)

const codeInWords = (code: string, looks: LabelLooks): string =>
  isLabel(code) ? looks[code].said : (words[code] ?? code)

const codesOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]) as string[]

const coded = new Set(['state', 'decided', 'accepted'])

function inWords(name: string, value: unknown, looks: LabelLooks): string | null {
  if (value === undefined) return null
  if (value === null || value === '') return t.empty
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (name === 'role') return roleNames[value as keyof typeof roleNames]
  if (name === 'pass_mark') return String(toPercent(Number(value)))
  if (coded.has(name))
    return codesOf(value)
      .map((code) => codeInWords(code, looks))
      .join(', ')
  if (isKnob(name)) return knobInWords(name, value as Knobs[typeof name])
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const kindNames: Readonly<Record<HistoryEntry['kind'], string>> = {
  members: t.ofMembers,
  settings: t.ofSettings,
  guidelines: t.ofGuidelines,
  rules: t.ofRules,
  quiz: t.ofQuiz,
  controls: t.ofControls,
  annotators: t.ofAnnotators,
  review: t.ofReview,
  accounts: t.ofAccounts,
}

export const actionNames: Readonly<Record<HistoryEntry['action'], string>> = {
  member_joined: t.memberJoined,
  member_removed: t.memberRemoved,
  role_changed: t.roleChanged,
  settings_changed: t.settingsChanged,
  guidelines_changed: t.guidelinesChanged,
  examples_changed: t.examplesChanged,
  review_settings_changed: t.reviewSettingsChanged,
  difficulty_rule_changed: t.difficultyRuleChanged,
  rules_saved: t.rulesSaved,
  rules_applied: t.rulesApplied,
  rules_undone: t.rulesUndone,
  quiz_changed: t.quizChanged,
  quiz_item_made: t.quizItemMade,
  quiz_item_changed: t.quizItemChanged,
  quiz_item_deleted: t.quizItemDeleted,
  control_made: t.controlMade,
  control_changed: t.controlChanged,
  control_deleted: t.controlDeleted,
  controls_imported: t.controlsImported,
  controls_made: t.controlsMade,
  controls_quarantined: t.controlsQuarantined,
  annotator_decided: t.annotatorDecided,
  webhook_created: t.webhookCreated,
  webhook_changed: t.webhookChanged,
  webhook_deleted: t.webhookDeleted,
  webhook_secret_renewed: t.webhookSecretRenewed,
  webhook_disabled: t.webhookDisabled,
  invitation_made: t.invitationMade,
  invitation_withdrawn: t.invitationWithdrawn,
  reset_link_made: t.resetLinkMade,
  password_reset: t.passwordReset,
  password_changed: t.passwordChanged,
  token_created: t.tokenCreated,
  token_revoked: t.tokenRevoked,
  account_changed: t.accountChanged,
  account_erased: t.accountErased,
  project_deleted: t.projectDeleted,
}
