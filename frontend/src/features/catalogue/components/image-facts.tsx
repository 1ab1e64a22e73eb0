import { CopyButton } from '@/components/ui/copy-button'
import { Digest } from '@/components/ui/digest'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import { RelativeTime } from '@/components/ui/relative-time'
import type { CatalogueImage, ImageDetail } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/catalogue'
import { titleOf } from '../state/picture-words'
import styles from './image-page.module.css'

/** Where a photograph comes from and what it is; the rest of the facts comes a moment later. */
export function ImageFacts({ image, detail }: { image: CatalogueImage; detail: ImageDetail | undefined }) {
  return (
    <section aria-label={t.aboutPhotograph}>
      <h1 className={styles.title}>{titleOf(image)}</h1>
      <p className={styles.attribution}>
        {image.attribution && (
          <>
            {image.attribution} <CopyButton text={image.attribution} what={t.theAttribution} />
          </>
        )}
      </p>
      <Facts
        facts={[
          { name: t.licence, value: <LicenceLink licence={image.licence} /> },
          { name: t.author, value: image.author },
          {
            name: t.source,
            value: image.source_url && <OutLink href={image.source_url}>{hostOf(image.source_url)}</OutLink>,
          },
          { name: t.key, value: image.key },
          {
            name: t.picture,
            value: `${formatCount(image.width)} × ${formatCount(image.height)}, ${image.format}${detail ? `, ${formatBytes(detail.n_bytes)}` : ''}`,
          },
          { name: t.imported, value: <RelativeTime at={image.created_at} /> },
          { name: 'SHA-256', value: <Digest value={image.digest} /> },
          { name: t.original, value: detail?.original_url && <a href={detail.original_url}>{t.download}</a> },
        ]}
      />
      <Notes notes={detail?.notes ?? []} label={t.importNoticed} className={styles.notes} />
    </section>
  )
}

function LicenceLink({ licence }: { licence: CatalogueImage['licence'] }) {
  if (!licence.url) return <>{licence.name || licence.code}</>
  return <OutLink href={licence.url}>{licence.name || licence.code}</OutLink>
}

function OutLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
