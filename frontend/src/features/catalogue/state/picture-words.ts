import type { CatalogueImage } from '@/lib/api/served'
import { t } from '@/messages/catalogue'

/** What a photograph is called for people who do not see it, and under it for those who do. */
export const nameOf = (image: CatalogueImage): string =>
  image.title || image.attribution || t.photographOf({ key: image.key })

/** What its page is called, and the tab of the browser. */
export const titleOf = (image: CatalogueImage): string => image.title || image.key

export const creditOf = (image: CatalogueImage): string => image.author || image.attribution || image.key
