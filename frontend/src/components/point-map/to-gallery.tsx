import { LinkButton } from '@/components/ui/link-button'
import { t } from '@/messages/caption-map'

const mostNamed = 300 // ids that fit into an address

/** What a lasso holds as images, as many as an address can name. */
export function ToGallery({ slug, images }: { slug: string; images: readonly number[] }) {
  if (images.length === 0) return null
  const named = images.slice(0, mostNamed)
  return (
    <LinkButton size="small" to="/projects/$slug/images" params={{ slug }} search={{ images: named.join(',') }}>
      {images.length > named.length ? t.firstInGallery({ n: named.length }) : t.inGallery({ n: images.length })}
    </LinkButton>
  )
}
