import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/entry'

export const t = catalogue('entry', english)
