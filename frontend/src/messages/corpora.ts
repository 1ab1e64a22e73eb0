import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/corpora'

export const t = catalogue('corpora', english)
