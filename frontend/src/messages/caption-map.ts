import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/caption-map'

export const t = catalogue('captionMap', english)
