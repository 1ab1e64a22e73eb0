import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/help'

export const t = catalogue('help', english)
