import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/annotate'

export const t = catalogue('annotate', english)
