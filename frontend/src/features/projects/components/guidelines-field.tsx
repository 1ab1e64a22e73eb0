import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Markdown } from '@/components/ui/markdown'
import { Menu } from '@/components/ui/menu'
import { TextField } from '@/components/ui/text-field'
import { TriggerButton } from '@/components/ui/trigger-button'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/projects'
import { type GuidelineTemplate, templatesFor } from '../state/guideline-templates'
import styles from './project-settings-page.module.css'

export interface GuidelinesFieldProps {
  direction: Project['direction']
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** What is written above stands rendered below, as annotators will read it; nobody has to begin with nothing. */
export function GuidelinesField({ direction, value, onChange, error }: GuidelinesFieldProps) {
  const templates = templatesFor(direction)
  const [asked, setAsked] = useState<GuidelineTemplate | null>(null)
  const isOwn = value.trim() !== '' && !templates.some(({ text }) => text === value)
  const take = (template: GuidelineTemplate) => (isOwn ? setAsked(template) : onChange(template.text))
  return (
    <div className={styles.guidelines}>
      <div>
        <Menu
          label={t.templates}
          trigger={
            <TriggerButton size="small" icon="book">
              {t.useTemplate}
            </TriggerButton>
          }
          entries={templates.map((template) => ({
            id: template.id,
            label: template.name,
            detail: template.detail,
            onAction: () => take(template),
          }))}
        />
      </div>
      <TextField label={t.guidelines} rows={16} value={value} onChange={onChange} error={error} />
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too. */}
      <section aria-label={t.preview} className={styles.preview} tabIndex={0}>
        {value.trim() ? <Markdown>{value}</Markdown> : <p className={styles.note}>{t.guidelinesPreview}</p>}
      </section>
      {asked && (
        <ConfirmDialog
          title={t.replaceGuidelines}
          verb={t.replaceThem}
          isOpen
          onConfirm={() => {
            onChange(asked.text)
            setAsked(null)
          }}
          onClose={() => setAsked(null)}
        >
          {t.replaceConsequence({ name: asked.name })}
        </ConfirmDialog>
      )}
    </div>
  )
}
