import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { Difficulty, ModelVote } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/catalogue'
import styles from './difficulty-view.module.css'

const words: Record<Difficulty['category'], string> = {
  easy: t.easy,
  medium: t.medium,
  hard: t.hard,
  unrated: t.unrated,
}

/** How hard a caption is for models: the word, one mark for each model, and who said what on demand. */
export function DifficultyView({ difficulty }: { difficulty: Difficulty }) {
  return (
    <details className={styles.difficulty}>
      <summary className={styles.summary} title={titleOf(difficulty)}>
        <span className={styles.word}>{words[difficulty.category]}</span>
        <Marks votes={difficulty.votes} />
        <span className="visually-hidden">{t.forModels}</span>
        <span>{matchWords(difficulty.votes)}</span>
        <Icon name="chevronDown" size={14} className={styles.chevron} />
      </summary>
      <VoteTable votes={difficulty.votes} />
      <p className={styles.note}>{t.thresholdNote({ policy: difficulty.policy })}</p>
    </details>
  )
}

/** "5 of 7 models match", and how many could not be asked. */
export function matchWords(votes: readonly ModelVote[]): string {
  const yes = votes.filter(({ vote }) => vote === true).length
  const unknown = votes.filter(({ vote }) => vote === null).length
  const matching = t.modelsMatch({ yes, n: votes.length })
  return unknown === 0 ? matching : t.couldNotAsk({ matching, unknown })
}

/** Full, empty, a dash: told apart by shape, in the order of the panel. */
function Marks({ votes }: { votes: readonly ModelVote[] }) {
  return (
    <span className={styles.marks} aria-hidden="true">
      {votes.map((each, place) => (
        <span key={place} className={cx(styles.mark, styles[markOf(each)])} />
      ))}
    </span>
  )
}

const markOf = ({ vote }: ModelVote): 'yes' | 'no' | 'unknown' => (vote === null ? 'unknown' : vote ? 'yes' : 'no')

const signs = { yes: '≥', no: '<', unknown: '' }

const figure = (value: number): string => formatDecimal(value, 4).replace('-', '−')

const scoreOf = ({ score }: ModelVote): string => (score === null ? t.noScore : figure(score))

const titleOf = ({ votes }: Difficulty): string =>
  votes
    .map((each) => [each.model, scoreOf(each), signs[markOf(each)], figure(each.threshold)].filter(Boolean).join(' '))
    .join('\n')

const answers = { yes: t.matches, no: t.doesNot, unknown: t.notAsked }

const highestFirst = { column: 'score', isDescending: true }

/** One row for each model, the highest score first. */
function VoteTable({ votes }: { votes: readonly ModelVote[] }) {
  return (
    <div className={styles.table}>
      <SortedTable<ModelVote>
        label={t.votesOfModels}
        csvName="votes-of-models.csv"
        rows={votes}
        rowId={(vote) => String(votes.indexOf(vote))}
        sort={highestFirst}
        columns={columns}
      />
    </div>
  )
}

const columns: readonly SortedColumn<ModelVote>[] = [
  {
    id: 'model',
    title: t.model,
    value: ({ model }) => model,
    cell: ({ model, digest }) => <span title={t.weights({ digest })}>{model}</span>,
  },
  {
    id: 'score',
    title: t.score,
    isNumber: true,
    onPhone: 'under',
    value: ({ score }) => score,
    cell: scoreOf,
  },
  {
    id: 'threshold',
    title: t.threshold,
    isNumber: true,
    onPhone: 'under',
    value: ({ threshold }) => threshold,
    cell: ({ threshold }) => figure(threshold),
  },
  {
    id: 'says',
    title: t.says,
    onPhone: 'beside',
    value: (vote) => answers[markOf(vote)],
    cell: (vote) => (
      <span className={styles.answer}>
        <span className={cx(styles.mark, styles[markOf(vote)])} aria-hidden="true" />
        {answers[markOf(vote)]}
      </span>
    ),
  },
]
