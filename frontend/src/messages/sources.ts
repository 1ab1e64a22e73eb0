import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/sources'

export const t = catalogue('sources', english)
