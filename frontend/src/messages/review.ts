import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/review'

export const t = catalogue('review', english)
