import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { Difficulty, ModelVote } from '@/lib/api/served'
import { plural } from '@/lib/format/numbers'
import styles from './difficulty-view.module.css'

const words: Record<Difficulty['category'], string> = {
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
  unrated: 'Unrated',
}

/** How hard a caption is for models: the word, one mark for each model, and who said what on demand. */
export function DifficultyView({ difficulty }: { difficulty: Difficulty }) {
  return (
    <details className={styles.difficulty}>
      <summary className={styles.summary} title={titleOf(difficulty)}>
        <span className={styles.word}>{words[difficulty.category]}</span>
        <Marks votes={difficulty.votes} />
        <span className="visually-hidden">for models: </span>
        <span>{matchWords(difficulty.votes)}</span>
        <Icon name="chevronDown" size={14} className={styles.chevron} />
      </summary>
      <VoteTable votes={difficulty.votes} />
      <p className={styles.note}>A model matches from its own threshold on. Policy: {difficulty.policy}.</p>
    </details>
  )
}

/** "5 of 7 models match", and how many could not be asked. */
export function matchWords(votes: readonly ModelVote[]): string {
  const yes = votes.filter(({ vote }) => vote === true).length
  const unknown = votes.filter(({ vote }) => vote === null).length
  const matching = `${yes} of ${plural(votes.length, 'model')} match`
  return unknown === 0 ? matching : `${matching}, ${unknown} could not be asked`
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

const figure = (value: number): string => value.toFixed(4).replace('-', '−')

const scoreOf = ({ score }: ModelVote): string => (score === null ? 'no score' : figure(score))

const titleOf = ({ votes }: Difficulty): string =>
  votes
    .map((each) => [each.model, scoreOf(each), signs[markOf(each)], figure(each.threshold)].filter(Boolean).join(' '))
    .join('\n')

const answers = { yes: 'matches', no: 'does not', unknown: 'not asked' }

function VoteTable({ votes }: { votes: readonly ModelVote[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col" className={styles.number}>
            Score
          </th>
          <th scope="col" className={styles.number}>
            Threshold
          </th>
          <th scope="col">Says</th>
        </tr>
      </thead>
      <tbody>
        {votes.map((each, place) => (
          <tr key={place}>
            <th scope="row" title={`SHA-256 of its weights: ${each.digest}`}>
              {each.model}
            </th>
            <td className={styles.number}>{scoreOf(each)}</td>
            <td className={styles.number}>{figure(each.threshold)}</td>
            <td>{answers[markOf(each)]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
