import type { ReleaseCheck } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useReleaseChecklist } from '../api/get-release-checklist'
import { Checklist, type CheckLine } from './checklist'

/** What to look at before a release. */
export function ReleaseChecklist({ slug }: { slug: string }) {
  const { data, error } = useReleaseChecklist(slug)
  return <Checklist slug={slug} title={t.beforeRelease} error={error} lines={data?.items.map(lineOf)} />
}

const pages = {
  agreement: '/projects/$slug/quality',
  annotators_below_line: '/projects/$slug/quality',
  open_disputes: '/projects/$slug/review',
  unread_comments: '/projects/$slug/review',
  images_left_out: '/projects/$slug/selection',
  panel_not_for_photographs: '/projects/$slug/difficulty',
  licences: '/projects/$slug/images',
} as const

const lineOf = (check: ReleaseCheck): CheckLine => ({
  code: check.code,
  state: check.state,
  sentence: sentenceOf(check),
  to: pages[check.code],
  reasons: check.code === 'images_left_out' ? reasonsOf(check) : [],
})

function sentenceOf({ code, n, params }: ReleaseCheck): string {
  switch (code) {
    case 'agreement':
      return agreementOf(params)
    case 'annotators_below_line':
      return n > 0 ? t.checkAnnotators({ n }) : t.noAnnotatorsBelow
    case 'open_disputes':
      return n > 0 ? t.checkDisputes({ n }) : t.noDisputes
    case 'unread_comments':
      return n > 0 ? t.checkComments({ n }) : t.noComments
    case 'images_left_out':
      return n > 0 ? t.checkLeftOut({ n }) : t.noneLeftOut
    case 'panel_not_for_photographs':
      return n > 0 ? t.checkPanel({ n }) : t.panelFits
    case 'licences':
      return n > 0 ? t.checkLicences({ n }) : t.licencesFit
  }
}

function agreementOf({ value, low, high }: ReleaseCheck['params']): string {
  if (typeof value !== 'number') return t.checkAgreementUnknown
  const shown = formatDecimal(value, 2)
  if (typeof low !== 'number' || typeof high !== 'number') return t.checkAgreementAlone({ value: shown })
  return t.checkAgreementRange({ value: shown, low: formatDecimal(low, 2), high: formatDecimal(high, 2) })
}

function reasonsOf({ params }: ReleaseCheck): string[] {
  const told = [
    [params.short_pool, t.leftOutShortPool],
    [params.not_selected, t.leftOutNotSelected],
    [params.not_in_sample, t.leftOutNotInSample],
    [params.withdrawn, t.leftOutWithdrawn],
  ] as const
  return told.flatMap(([n, say]) => (typeof n === 'number' && n > 0 ? [say({ n })] : []))
}
