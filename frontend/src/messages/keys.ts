import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/keys'

export const t = catalogue('keys', english)
