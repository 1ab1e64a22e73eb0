import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { KeyFigures } from '@/components/ui/key-figures'
import { Notes } from '@/components/ui/notes'
import type { DiversityBody, DiversityMeasure, DiversityReport, DiversitySummary } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/diversity'
import { decimals, densitySpec, differenceOf, measureNames, namesOf, nOf } from '../state/measures'
import styles from './diversity.module.css'

/** The report as files. */
export function Files({ files }: { files: NonNullable<DiversityReport['files']> }) {
  return (
    <span className={styles.files}>
      {(['svg', 'csv', 'json'] as const).map((kind) => (
        <DownloadLink key={kind} href={files[kind]}>
          {kind.toUpperCase()}
        </DownloadLink>
      ))}
      <DownloadLink href={files.images}>{t.perImage}</DownloadLink>
    </span>
  )
}

/** A density of each measure, the means with their intervals, and how it was made; `isSub` inside a section. */
export function ReportView({ report, isSub = false }: { report: DiversityBody; isSub?: boolean }) {
  const names = namesOf(report.datasets)
  return (
    <>
      <div className={styles.means}>
        <KeyFigures figures={report.measures.map(meanOf)} />
      </div>
      <Notes notes={notesOf(report, names)} className={styles.notes} />
      <div className={styles.panels}>
        {report.measures.map((measure) => (
          <MeasureChart key={measure.measure} measure={measure} report={report} isSub={isSub} />
        ))}
      </div>
      <Disclosure summary={t.howMade} className={styles.facts}>
        <Facts facts={[{ name: t.seed, value: String(report.seed) }, ...report.measures.map(modelFact)]} />
        {report.datasets.map((dataset, at) => (
          <section key={names[at]}>
            <h2 className={styles.dataset}>{names[at]}</h2>
            <Facts
              facts={[
                { name: t.images, value: formatCount(dataset.n_images) },
                { name: t.measuredImages, value: formatCount(dataset.n_measured) },
                { name: t.captions, value: formatCount(dataset.n_captions) },
                {
                  name: t.checksum,
                  value: <Digest value={dataset.digest} what={t.checksumOf({ name: names[at] ?? '' })} />,
                },
              ]}
            />
          </section>
        ))}
      </Disclosure>
    </>
  )
}

/** "0.311", with its interval where there is one dataset; "0.311 / 0.622" of two. */
function meanOf({ measure, datasets }: DiversityMeasure) {
  const [first, ...others] = datasets
  const { low = null, high = null } = others.length === 0 ? (first ?? {}) : {}
  return {
    name: measureNames[measure],
    value: datasets.map(({ mean }) => (mean === null ? '–' : decimals(mean))).join(' / '),
    detail: low === null || high === null ? null : t.interval({ low: decimals(low), high: decimals(high) }),
  }
}

const modelFact = ({ measure, model, digest }: DiversityMeasure) => ({
  name: measureNames[measure],
  value: (
    <>
      {model} <Digest value={digest} what={t.weightsOf({ model })} />
    </>
  ),
})

interface Row extends DiversitySummary {
  name: string
}

interface MeasureChartProps {
  measure: DiversityMeasure
  report: DiversityBody
  isSub: boolean
}

function MeasureChart({ measure, report, isSub }: MeasureChartProps) {
  const names = useMemo(() => namesOf(report.datasets), [report])
  const spec = useMemo(() => densitySpec(measure, names), [measure, names])
  const rows = measure.datasets.map((summary, at): Row => ({ ...summary, name: names[at] ?? '' }))
  const { model, layer } = measure
  const what = measure.measure === 'clip_image' ? t.ofCaptions : t.ofPairs
  const by = layer === null ? t.by_model({ model }) : t.layerOf({ model, layer: String(layer) })
  return (
    <Chart<Row>
      title={measureNames[measure.measure]}
      isSub={isSub}
      spec={spec}
      table={{
        columns: [
          { title: t.dataset, value: ({ name }) => name },
          { title: t.mean, value: ({ mean }) => mean, format: decimals },
          { title: t.low, value: ({ low }) => low, format: decimals },
          { title: t.high, value: ({ high }) => high, format: decimals },
          { title: t.deviation, value: ({ deviation }) => deviation, format: decimals },
          { title: t.n, value: ({ n }) => n, format: formatCount },
          { title: t.missing, value: ({ n_missing: n }) => n, format: formatCount },
        ],
        rows,
      }}
      n={nOf(measure)}
      how={`${what} ${t.howInterval} ${by}`}
      lead={<p className={styles.lead}>{leadOf(measure)}</p>}
    />
  )
}

function leadOf(measure: DiversityMeasure): string {
  if (!measure.density) return t.noValue
  if (measure.density.curves.every((curve) => curve === null)) return t.allEqual
  return differenceOf(measure) ?? ''
}

/** What a reader must know before believing the curves. */
function notesOf(report: DiversityBody, names: readonly string[]): string[] {
  const onDrawings = report.measures.find((measure) => measure.is_trained_on_drawings)
  return [
    t.lowerIsMore,
    ...(names.length > 1 ? [report.is_paired ? t.paired : t.unpaired] : []),
    ...(onDrawings ? [t.onDrawings({ model: onDrawings.model })] : []),
    ...report.datasets.flatMap((dataset, at) => {
      const name = names[at] ?? ''
      const { n_images: all, n_measured: measured, n_single: singles, n_refused: refused } = dataset
      return [
        ...(measured < all ? [t.drawn({ name, measured: formatCount(measured), all: formatCount(all) })] : []),
        ...(singles > 0 ? [t.singles({ name, n: singles })] : []),
        ...(refused > 0 ? [t.refused({ name, n: refused })] : []),
      ]
    }),
  ]
}
