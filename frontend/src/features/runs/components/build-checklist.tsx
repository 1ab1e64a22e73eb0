import type { BuildCheck } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useBuildChecklist } from '../api/get-build-checklist'
import { Checklist, type CheckLine } from './checklist'

/** What to look at before tasks are built: guidelines, test questions, quiz, people and cost. */
export function BuildChecklist({ slug }: { slug: string }) {
  const { data, error } = useBuildChecklist(slug)
  return <Checklist slug={slug} title={t.beforeBuild} error={error} lines={data?.items.map(lineOf)} />
}

const pages = {
  guidelines: '/projects/$slug/settings',
  test_questions: '/projects/$slug/quality',
  quiz: '/projects/$slug/settings',
  annotators: '/projects/$slug/people',
  cost: '/projects/$slug/settings',
} as const

const lineOf = (check: BuildCheck): CheckLine => ({
  code: check.code,
  state: check.state,
  sentence: sentenceOf(check),
  to: pages[check.code],
})

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

function sentenceOf({ code, n, params }: BuildCheck): string {
  switch (code) {
    case 'guidelines':
      return n > 0 ? t.buildGuidelines({ n }) : t.buildNoGuidelines
    case 'test_questions':
      return n < numberIn(params.enough) ? t.buildFewTests({ n, enough: numberIn(params.enough) }) : t.buildTests({ n })
    case 'quiz':
      return quizOf(n, numberIn(params.asked))
    case 'annotators':
      return t.buildAnnotators({ n, invited: numberIn(params.invited), wanted: numberIn(params.wanted) })
    case 'cost':
      return costOf(n, numberIn(params.tasks), params.cost)
  }
}

function quizOf(n: number, asked: number): string {
  if (asked === 0) return t.buildNoQuiz
  return n < asked ? t.buildShortQuiz({ n, asked }) : t.buildQuiz({ n })
}

function costOf(n: number, tasks: number, cost: unknown): string {
  const work = t.buildWork({ n, tasks: formatCount(tasks) })
  return `${work} ${typeof cost === 'string' ? t.buildCost({ cost }) : t.buildNoPay}`
}
