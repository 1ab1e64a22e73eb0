import { Facts } from '@/components/ui/facts'
import { showToast } from '@/components/ui/toast-store'
import type { Survey } from '@/lib/api/served'
import { t } from '@/messages/surveys'
import { useChangeSurvey, useSurveyModels } from '../api/surveys'
import { fieldsOf, rulesFrom, surveyFrom } from '../state/survey-fields'
import { SurveyForm } from './survey-form'
import styles from './surveys.module.css'

/** Everything of a draft can be changed; of an open survey its limits and rules. */
export function SettingsTab({ slug, survey }: { slug: string; survey: Survey }) {
  const models = useSurveyModels(slug).data ?? []
  const { mutate, isPending, error } = useChangeSurvey(slug, survey.id)
  const isDraft = survey.state === 'draft'
  return (
    <div className={styles.parts}>
      {!isDraft && (
        <Facts
          facts={[
            { name: t.model, value: survey.model },
            { name: t.seed, value: String(survey.seed) },
            { name: t.runBy, value: survey.run_by },
          ]}
        />
      )}
      <SurveyForm
        first={fieldsOf(survey)}
        models={models}
        isOnlyRules={!isDraft}
        verb={t.save}
        isPending={isPending}
        error={error}
        onSave={(fields) =>
          mutate(isDraft ? surveyFrom(fields) : rulesFrom(fields), { onSuccess: () => showToast(t.saved) })
        }
      />
    </div>
  )
}
