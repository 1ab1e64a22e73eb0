import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/catalogue'

export const t = catalogue('catalogue', english)
