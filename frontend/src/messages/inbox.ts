import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/inbox'

export const t = catalogue('inbox', english)
