import { Badge, LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { EditedCaption } from '@/components/ui/edited-caption'
import { Turn } from '@/components/ui/remark-words'
import { formatDecimal } from '@/lib/format/numbers'
import { lensName } from '@/lib/judging/annotation-words'
import { t } from '@/messages/review'
import type { Answer, Case, Pair } from '../api/shapes'
import { codesOf, reasonTone, reasonWords, tagWords } from '../state/case-words'
import { inRows, letterOf } from '../state/votes'
import styles from './evidence.module.css'
import { Reliability } from './reliability'
import { ThreadReply } from './thread-reply'
import { VoteBar } from './vote-bar'

/** Why the case is in the queue: chips, and the first one in a sentence. */
export function Reasons({ reasons }: Pick<Case, 'reasons'>) {
  const codes = codesOf({ reasons })
  const [first] = codes
  return (
    <div className={styles.reasons} role="group" aria-label={t.why}>
      {codes.map((code) => (
        <Badge key={code} tone={reasonTone(code)}>
          {reasonWords[code].chip}
        </Badge>
      ))}
      {first && <span>{reasonWords[first].why}</span>}
    </div>
  )
}

/** What stands of a pair: the votes, the majority, the result, a decision. */
export function Standing({ pair }: { pair: Pair }) {
  const { votes, majority, consensus, verdict } = pair
  return (
    <dl className={styles.standing}>
      <div>
        <dt className="visually-hidden">{t.votes}</dt>
        <dd>
          <VoteBar votes={votes} hasNumbers />
        </dd>
      </div>
      <div>
        <dt>{t.majorityIs}</dt>
        <dd>{majority ? <LabelBadge label={majority} /> : <span>{t.isTied}</span>}</dd>
      </div>
      {consensus && consensus !== majority && (
        <div>
          <dt>{t.resultIs}</dt>
          <dd>
            <LabelBadge label={consensus} />
          </dd>
        </div>
      )}
      {verdict && (
        <div>
          <dt>{t.decisionIs}</dt>
          <dd title={t.decidedBy({ name: verdict.decided_by.name })}>
            <LabelBadge label={verdict.label} />
            {verdict.reason && <span> {tagWords[verdict.reason]}</span>}
          </dd>
        </div>
      )}
    </dl>
  )
}

export interface PeopleProps {
  pair: Pair
  /** Names are hidden until somebody asks for them. */
  hasNames: boolean
  /** Whose task it is, where the case is one. */
  owner?: number | undefined
}

/** One row for each person who answered. */
export function People({ pair, hasNames, owner }: PeopleProps) {
  if (pair.answers.length === 0) return <p className={styles.none}>{t.noAnswers}</p>
  return (
    <ul className={styles.people} aria-label={t.answers}>
      {inRows(pair.answers).map((answer, at) => (
        <PersonRow
          key={answer.judgment}
          pair={pair}
          isOwn={answer.annotator.id === owner}
          answer={answer}
          name={hasNames ? nameOf(answer) : t.personLetter({ letter: letterOf(at) })}
        />
      ))}
    </ul>
  )
}

export const nameOf = ({ annotator }: Pick<Answer, 'annotator'>): string => annotator.display_name || annotator.username

interface PersonRowProps {
  pair: Pair
  answer: Answer
  name: string
  isOwn: boolean
}

function PersonRow({ pair: { text, is_control }, answer, name, isOwn }: PersonRowProps) {
  const { label, seconds, lens, edits, comment, is_generic, is_surplus, is_counted, reliability } = answer
  // Nobody's answer to a test question is a vote.
  const isLeftOut = !is_counted && !is_control
  return (
    <li className={cx(styles.person, isOwn && styles.own, isLeftOut && styles.uncounted)}>
      <LabelBadge label={label} />
      <span className={styles.name} dir="auto">
        {name}
        {isOwn && <span className="visually-hidden"> {t.ofThisTask}</span>}
      </span>
      <span className={styles.lens}>{lens ? lensName(lens) : ''}</span>
      <span className={styles.seconds}>
        {seconds === null ? '' : t.seconds({ n: formatDecimal(seconds, seconds < 10 ? 1 : 0) })}
      </span>
      <Reliability share={reliability} />
      {(edits.length > 0 || comment || is_generic || isLeftOut) && (
        <div className={styles.more}>
          {edits.length > 0 && (
            <p className={styles.edit} lang="en" dir="auto">
              <EditedCaption text={text} edits={edits} />
            </p>
          )}
          {comment && (
            <p className={styles.comment} dir="auto">
              {comment}
            </p>
          )}
          {is_generic && <Badge>{t.generic}</Badge>}
          {isLeftOut && <Badge>{is_surplus ? t.extra : t.notCounted}</Badge>}
        </div>
      )}
    </li>
  )
}

/** The same caption on other images, and what came of it there. */
export function Elsewhere({ pair }: { pair: Pair }) {
  if (pair.elsewhere.length === 0) return null
  return (
    <section className={styles.part}>
      <h3>{t.elsewhere}</h3>
      <ul className={styles.elsewhere}>
        {pair.elsewhere.map(({ candidate, image, votes, consensus }) => (
          <li key={candidate}>
            <img src={image.thumbnail.small.url} alt={t.otherImage} loading="lazy" />
            {consensus ? <LabelBadge label={consensus} /> : <VoteBar votes={votes} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the models of the project say of the pair. */
export function Models({ pair }: { pair: Pair }) {
  if (pair.model_votes.length === 0) return null
  return (
    <section className={styles.part}>
      <h3>{t.models}</h3>
      <ul className={styles.models}>
        {pair.model_votes.map(({ model, vote, score }) => (
          <li key={model}>
            <span dir="auto">{model}</span>
            <span>{vote === null ? t.modelNone : vote ? t.modelYes : t.modelNo}</span>
            <span className={styles.score}>{score === null ? '' : formatDecimal(score, 2)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was written about the pair, and the answers to it. */
export function Thread({ slug, pair, hasNames }: PeopleProps & { slug: string }) {
  if (pair.remarks.length === 0) return null
  const letters = new Map(inRows(pair.answers).map(({ annotator }, at) => [annotator.id, letterOf(at)]))
  const shown = (person: { id: number; name: string }) => {
    const letter = letters.get(person.id)
    return hasNames || letter === undefined ? person.name : t.personLetter({ letter })
  }
  return (
    <section className={styles.part}>
      <h3>{t.thread}</h3>
      <ol className={styles.thread}>
        {pair.remarks.map((remark) => (
          <li key={remark.id}>
            <Turn name={remark.written_by.name} at={remark.created_at} text={remark.text} label={remark.label} />
            {remark.replies.map((reply) => (
              <Turn key={reply.id} name={shown(reply.author)} at={reply.created_at} text={reply.text} />
            ))}
            {remark.awaits_reply && <ThreadReply slug={slug} remark={remark.id} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
