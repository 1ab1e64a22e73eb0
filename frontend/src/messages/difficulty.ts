import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/difficulty'

export const t = catalogue('difficulty', english)
