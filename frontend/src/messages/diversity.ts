import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/diversity'

export const t = catalogue('diversity', english)
