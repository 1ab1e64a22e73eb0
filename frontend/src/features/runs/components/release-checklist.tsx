import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '@/components/ui/icon'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { asApiError } from '@/lib/api/api-error'
import type { ReleaseCheck } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/runs'
import { useReleaseChecklist } from '../api/get-release-checklist'
import styles from './release-checklist.module.css'

/** What to look at before a release. It never stands in the way. */
export function ReleaseChecklist({ slug }: { slug: string }) {
  const { data, error, isPending } = useReleaseChecklist(slug)
  return (
    <section className={styles.panel} aria-label={t.beforeRelease}>
      <h3 className={styles.title}>{t.beforeRelease}</h3>
      {isPending && <Skeleton label={t.beforeReleaseLoading} rows={4} />}
      {error && !data && <Notice>{t.beforeReleaseNotShown({ message: asApiError(error).message })}</Notice>}
      {data && (
        <ul className={styles.list}>
          {data.items.map((check) => (
            <CheckLine key={check.code} slug={slug} check={check} />
          ))}
        </ul>
      )}
    </section>
  )
}

const looks: Record<ReleaseCheck['state'], { icon: IconName; word: string }> = {
  ok: { icon: 'check', word: t.isChecked },
  warning: { icon: 'alert', word: t.needsCheck },
  info: { icon: 'message', word: t.forInformation },
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

function CheckLine({ slug, check }: { slug: string; check: ReleaseCheck }) {
  const { icon, word } = looks[check.state]
  const reasons = check.code === 'images_left_out' ? reasonsOf(check) : []
  return (
    <li className={styles.line} data-state={check.state}>
      <Icon name={icon} size={16} />
      <span>
        <span className="visually-hidden">{word}: </span>
        <Link to={pages[check.code]} params={{ slug }}>
          {sentenceOf(check)}
        </Link>
        {reasons.length > 0 && <span className={styles.reasons}> {reasons.join(', ')}</span>}
      </span>
    </li>
  )
}

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
