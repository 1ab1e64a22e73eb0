import { ActionButton } from '@/components/ui/action-button'
import { EntryFoot, EntryHeader, EntryPage, EntryWords } from '@/components/ui/entry-page'
import { Markdown } from '@/components/ui/markdown'
import { Notice } from '@/components/ui/notice'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { MyQualification } from '@/lib/api/served'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/qualification'
import { readActions } from '../actions'
import { useReadGuidelines } from '../api/get-mine'
import { readingMinutes } from '../state/quiz-words'
import { ExamplePictures } from './example-pictures'
import styles from './qualify-page.module.css'
import { StepList } from './step-list'

export interface GuidelinesStepProps {
  project: Project
  mine: MyQualification
}

/** The guidelines, to be read to the end; the word that they were is about this very text. */
export function GuidelinesStep({ project, mine }: GuidelinesStepProps) {
  const { guidelines, quiz } = mine
  const { mutate, isPending, error } = useReadGuidelines(project.slug)
  useActions(readActions, {
    'qualify.read': { when: () => !isPending, perform: () => mutate(guidelines.digest) },
  })
  const takesQuiz = quiz.is_asked && !quiz.is_passed
  return (
    <EntryPage>
      <EntryHeader
        title={t.readGuidelines}
        lead={guidelines.why ? say(guidelines.why) : t.guidelinesSay}
        minutes={readingMinutes(mine)}
        terms={[
          {
            icon: takesQuiz ? 'question' : 'image',
            words: takesQuiz ? t.thenQuiz({ questions: quiz.n_questions }) : t.thenTasks,
          },
          { icon: 'book', words: t.openAgain },
        ]}
      >
        <StepList mine={mine} />
      </EntryHeader>
      <EntryWords label={t.guidelines}>
        <div>
          <Markdown>{guidelines.text}</Markdown>
        </div>
      </EntryWords>
      <ExamplePictures examples={guidelines.examples} />
      <EntryFoot>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <ActionButton id="qualify.read" variant="primary" size="large" showsKey isPending={isPending} />
        <p className={styles.note}>{t.whoSees}</p>
      </EntryFoot>
    </EntryPage>
  )
}
