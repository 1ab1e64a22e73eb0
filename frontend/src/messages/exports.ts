import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/exports'

export const t = catalogue('exports', english)
