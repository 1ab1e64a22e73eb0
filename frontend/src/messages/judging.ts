import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/judging'

export const t = catalogue('judging', english)
