import { ActionButton } from '@/components/ui/action-button'
import { Markdown } from '@/components/ui/markdown'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { WorkedExamples } from '@/components/ui/worked-examples'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { MyQualification } from '@/lib/api/served'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/qualification'
import { readActions } from '../actions'
import { useReadGuidelines } from '../api/get-mine'
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
  return (
    <Page>
      <StepList mine={mine} />
      <PageHeader title={t.readGuidelines} lead={guidelines.why ? say(guidelines.why) : t.guidelinesSay} />
      <article className={styles.beside}>
        <div className={styles.guidelines}>
          <Markdown>{guidelines.text}</Markdown>
        </div>
        <WorkedExamples examples={guidelines.examples} />
      </article>
      <div className={styles.read}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <ActionButton id="qualify.read" variant="primary" size="large" showsKey isPending={isPending} />
        <p className={styles.note}>{t.stayAtHand({ value: quiz.is_asked && !quiz.is_passed ? t.quizNext : t.photographNext })}</p>
      </div>
    </Page>
  )
}
