import { CopyButton } from '@/components/ui/copy-button'
import { Disclosure } from '@/components/ui/disclosure'
import { Notice } from '@/components/ui/notice'
import type { DifficultySummary } from '@/lib/api/served'
import { t } from '@/messages/difficulty'
import { paperModels } from '../state/categories'
import styles from './difficulty-page.module.css'

/** Says before all figures that these models have only learned from drawings. */
export function HonestNotice({ honesty }: { honesty: DifficultySummary['honesty'] }) {
  return (
    honesty.is_warning && (
      <Notice tone="bad">
        <strong>{t.drawingsTitle}</strong>{' '}
        {t.drawings({ n: honesty.n_images - honesty.n_drawn, total: honesty.n_images })}
      </Notice>
    )
  )
}

/** The models of the papers, for whoever wants the same panel. */
export function PaperModels() {
  return (
    <Disclosure summary={t.paperModels}>
      <p className={styles.note}>{t.paperModelsLead}</p>
      <ol className={styles.names}>
        {paperModels.map((name, place) => (
          <li key={name}>
            <code>{name}</code>
            {place === paperModels.length - 1 && ` (${t.tieBreaker})`}
          </li>
        ))}
      </ol>
      <p className={styles.note}>{t.paperModelsHow}</p>
      <CopyButton text={paperModels.join(',')} what={t.copyNames} label={t.copyNames} />
    </Disclosure>
  )
}
