import { useMemo, useState } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { CalibratedModel, Calibration, CurvePoint } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/models'
import { useCalibration } from '../api/get-calibrations'
import { reasonWords } from '../state/states'
import styles from './models.module.css'

/** The precision-recall curve of one model, of any of its versions. */
export function CurveView({ slug, model }: { slug: string; model: CalibratedModel }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const newest = model.versions[0]
  if (!newest) return <p className={styles.note}>{model.state === 'shipped' ? t.noCurve : t.noCurveYet}</p>
  const versions = model.versions.map((one) => ({
    value: String(one.id),
    label: t.versionOf({ version: one.version, when: absoluteTime(new Date(one.created_at)) }),
    ...(one.is_of_site && { detail: t.ofSite }),
  }))
  const id = versions.some(({ value }) => value === chosen) ? Number(chosen) : newest.id
  return (
    <>
      {versions.length > 1 && (
        <div className={styles.choice}>
          <Select label={t.version} choices={versions} value={String(id)} onChange={setChosen} />
        </div>
      )}
      <Curve key={id} slug={slug} id={id} />
    </>
  )
}

function Curve({ slug, id }: { slug: string; id: number }) {
  const { data, error, isPending, refetch } = useCalibration(slug, id)
  return (
    <>
      {isPending && <Skeleton label={t.theCurve} rows={4} />}
      {error && !data && <ErrorState error={error} title={t.curveNotShown} onRetry={() => void refetch()} />}
      {data && <CurveOf record={data} />}
    </>
  )
}

const figure = (value: number) => formatDecimal(value, 3)

function CurveOf({ record }: { record: Calibration }) {
  const spec = useMemo(() => curveSpec(record), [record])
  const { figures } = record
  return (
    <div className={styles.curve}>
      <Chart<CurvePoint>
        title={t.curveOf({ model: record.model })}
        spec={spec}
        table={{
          columns: [
            { title: t.threshold, value: ({ threshold }) => threshold, format: (value) => formatDecimal(value, 4) },
            { title: t.precision, value: ({ precision }) => precision, format: figure },
            { title: t.recall, value: ({ recall }) => recall, format: figure },
            { title: t.f1, value: ({ f1 }) => f1, format: figure },
          ],
          rows: record.curve,
        }}
        n={t.nPairs({ n: figures.n_pairs })}
        how={t.howCurve({ batch: figures.batch_size, seed: record.seed })}
        actions={
          <span className={styles.files}>
            {(['json', 'csv'] as const).map((kind) => (
              <DownloadLink key={kind} href={record.files[kind]}>
                {kind.toUpperCase()}
              </DownloadLink>
            ))}
          </span>
        }
        lead={
          record.stale_reasons.length > 0 && (
            <p className={styles.note}>{record.stale_reasons.map((reason) => reasonWords[reason]).join(' ')}</p>
          )
        }
      />
      <Disclosure summary={t.howMade}>
        <Facts
          facts={[
            { name: t.madeFrom, value: figures.pairs },
            { name: t.lost, value: record.n_lost > 0 && formatCount(record.n_lost) },
            { name: t.precision, value: figure(figures.precision) },
            { name: t.recall, value: figure(figures.recall) },
            { name: t.positives, value: formatCount(record.n_positives) },
            { name: t.negatives, value: formatCount(record.n_negatives) },
            { name: t.equalTexts, value: formatCount(record.n_equal_texts) },
            { name: t.digestOf, value: <Digest value={record.digest} what={t.weightsOf} /> },
            { name: t.preprocessingOf, value: record.preprocessing },
          ].filter(({ value }) => value !== false)}
        />
      </Disclosure>
    </div>
  )
}

const curveSpec =
  ({ curve, threshold }: Calibration): ChartSpec =>
  (plot, width) => {
    const chosen = curve.filter((point) => point.threshold === threshold)
    const isRight = (chosen[0]?.recall ?? 0) > 0.6 // the line has room on its upper right side, and below it
    return {
      width,
      height: Math.min(360, Math.max(240, width * 0.7)),
      marginLeft: 48,
      marginRight: 24,
      marginTop: 24,
      x: { domain: [0, 1], label: t.recall, grid: true },
      y: { domain: [0, 1], label: t.precision, grid: true },
      marks: [
        plot.line(curve, { x: 'recall', y: 'precision', stroke: 'var(--curve-1)', strokeWidth: 2 }),
        plot.dot(chosen, { x: 'recall', y: 'precision', r: 6, fill: 'var(--curve-3)', stroke: 'var(--ground)' }),
        plot.text(chosen, {
          x: 'recall',
          y: 'precision',
          text: () => t.chosen({ threshold: formatDecimal(threshold, 4) }),
          textAnchor: isRight ? 'end' : 'start',
          dx: isRight ? -10 : 10,
          dy: isRight ? 16 : -12,
          fill: 'var(--text)',
          stroke: 'var(--ground)',
          strokeWidth: 4,
          fontWeight: 600,
        }),
      ],
    }
  }
