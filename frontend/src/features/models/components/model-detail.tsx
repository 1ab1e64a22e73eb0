import { useRef } from 'react'
import { Digest } from '@/components/ui/digest'
import { Facts } from '@/components/ui/facts'
import type { CalibratedModel } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { useIntoView } from '@/lib/layout/use-into-view'
import { t } from '@/messages/models'
import { CurveView } from './curve-view'
import styles from './models.module.css'

export interface ModelDetailProps {
  slug: string
  model: CalibratedModel
  /** Whether its vote decides where the others are tied. */
  breaksTies: boolean
  /** Whether a person chose it; otherwise the page opens at its top. */
  isChosen: boolean
}

/** One model: its use, its size and licence, its calibration, and the curve of that. */
export function ModelDetail({ slug, model, breaksTies, isChosen }: ModelDetailProps) {
  const section = useRef<HTMLElement>(null)
  useIntoView(section, isChosen)
  const use = breaksTies ? t.decidesTies : model.is_in_panel ? t.votes : t.extra
  return (
    <section ref={section} className={styles.detail} aria-label={model.model}>
      <h2 className={styles.title}>{model.model}</h2>
      <Facts
        facts={[
          { name: t.usedFor, value: use },
          { name: t.parameters, value: model.n_parameters && formatCount(model.n_parameters) },
          { name: t.licence, value: model.licence },
          { name: t.digestOf, value: model.digest && <Digest value={model.digest} what={t.weightsOf} /> },
          ...calibrationFacts(model),
        ]}
      />
      <CurveView slug={slug} model={model} />
    </section>
  )
}

/** The calibration that came with a model has no curve to be read from, so that its figures are all there is. */
function calibrationFacts({ figures, versions }: CalibratedModel) {
  if (!figures || versions.length > 0) return []
  return [
    { name: t.madeFrom, value: figures.pairs },
    { name: t.batchSize, value: formatCount(figures.batch_size) },
    { name: t.precision, value: formatDecimal(figures.precision, 3) },
    { name: t.recall, value: formatDecimal(figures.recall, 3) },
    { name: t.prevalence, value: formatShare(figures.prevalence) },
  ]
}
