import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/history'

export const t = catalogue('history', english)
