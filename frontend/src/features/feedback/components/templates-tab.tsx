import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { Note } from '@/components/ui/remark-words'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { FeedbackTemplate } from '@/lib/api/served'
import { templateName, templateText } from '@/lib/feedback/template-words'
import { useDeleteTemplate, useSaveTemplate, useTemplates } from '@/lib/feedback/templates'
import { t } from '@/messages/remarks'
import styles from './remarks.module.css'

/** The kinds of feedback of this project, each with the words it starts from. */
export function TemplatesTab({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useTemplates(slug)
  const [editing, setEditing] = useState<number | 'new' | null>(null)
  if (isPending) return <Skeleton label={t.templates} rows={7} />
  if (!data) return <ErrorState error={error} title={t.templatesNotShown} onRetry={() => void refetch()} />
  return (
    <section className={styles.section} aria-label={t.templates}>
      <Note>{t.templatesHint}</Note>
      <ol className={styles.templates}>
        {data.map((template) =>
          editing === template.id ? (
            <li key={template.id}>
              <TemplateForm slug={slug} template={template} onClose={() => setEditing(null)} />
            </li>
          ) : (
            <TemplateRow key={template.id} slug={slug} template={template} onEdit={() => setEditing(template.id)} />
          ),
        )}
      </ol>
      {editing === 'new' ? (
        <TemplateForm slug={slug} template={null} onClose={() => setEditing(null)} />
      ) : (
        <Button size="small" icon="plus" onPress={() => setEditing('new')}>
          {t.addTemplate}
        </Button>
      )}
    </section>
  )
}

interface TemplateRowProps {
  slug: string
  template: FeedbackTemplate
  onEdit: () => void
}

function TemplateRow({ slug, template, onEdit }: TemplateRowProps) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useDeleteTemplate(slug)
  const name = templateName(template)
  return (
    <li className={styles.template}>
      <div className={styles.words}>
        <p className={styles.to}>
          <b dir="auto">{name}</b>
          <span className={styles.quiet}>{t.timesUsed({ n: template.n_used })}</span>
        </p>
        <Note>{templateText(template)}</Note>
      </div>
      <div className={styles.deeds}>
        <Button size="small" aria-label={t.editTemplate({ name })} onPress={onEdit}>
          {t.edit}
        </Button>
        <Button size="small" variant="quiet" aria-label={t.deleteTemplate({ name })} onPress={() => setAsking(true)}>
          {t.remove}
        </Button>
      </div>
      <ConfirmDialog
        title={t.deleteTemplate({ name })}
        verb={t.remove}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(template, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        <p>{t.deleteTemplateHint}</p>
      </ConfirmDialog>
    </li>
  )
}

interface TemplateFormProps {
  slug: string
  /** Null for a new one. */
  template: FeedbackTemplate | null
  onClose: () => void
}

function TemplateForm({ slug, template, onClose }: TemplateFormProps) {
  const [name, setName] = useState(template ? templateName(template) : '')
  const [text, setText] = useState(template ? templateText(template) : '')
  const { mutate, isPending, error } = useSaveTemplate(slug, template?.id ?? null)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    mutate({ name: name.trim(), text: text.trim() }, { onSuccess: onClose })
  }
  return (
    <form className={styles.form} onSubmit={save}>
      <TextField label={t.templateName} maxLength={80} autoFocus value={name} onChange={setName} />
      <TextField label={t.templateText} rows={3} maxLength={2000} value={text} onChange={setText} />
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <div className={styles.deeds}>
        <Button
          size="small"
          type="submit"
          variant="primary"
          isPending={isPending}
          isDisabled={name.trim() === '' || text.trim() === ''}
        >
          {t.saveTemplate}
        </Button>
        <NotNow size="small" variant="quiet" onPress={onClose} />
      </div>
    </form>
  )
}
