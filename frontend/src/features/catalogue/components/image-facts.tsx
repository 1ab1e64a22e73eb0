import { CopyButton } from '@/components/ui/copy-button'
import { Digest } from '@/components/ui/digest'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import { RelativeTime } from '@/components/ui/relative-time'
import type { CatalogueImage, ImageDetail } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import styles from './image-page.module.css'

/** Where a photograph comes from and what it is; the rest of the facts comes a moment later. */
export function ImageFacts({ image, detail }: { image: CatalogueImage; detail: ImageDetail | undefined }) {
  return (
    <section aria-label="About the photograph">
      <h1 className={styles.title}>{image.title || image.key}</h1>
      <p className={styles.attribution}>
        {image.attribution && (
          <>
            {image.attribution} <CopyButton text={image.attribution} what="the attribution" />
          </>
        )}
      </p>
      <Facts
        facts={[
          { name: 'Licence', value: <LicenceLink licence={image.licence} /> },
          { name: 'Author', value: image.author },
          {
            name: 'Source',
            value: image.source_url && <OutLink href={image.source_url}>{hostOf(image.source_url)}</OutLink>,
          },
          { name: 'Key', value: image.key },
          {
            name: 'Picture',
            value: `${formatCount(image.width)} × ${formatCount(image.height)}, ${image.format}${detail ? `, ${formatBytes(detail.n_bytes)}` : ''}`,
          },
          { name: 'Imported', value: <RelativeTime at={image.created_at} /> },
          { name: 'SHA-256', value: <Digest value={image.digest} /> },
          { name: 'Original', value: detail?.original_url && <a href={detail.original_url}>Download</a> },
        ]}
      />
      <Notes notes={detail?.notes ?? []} label="What the import noticed" className={styles.notes} />
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
