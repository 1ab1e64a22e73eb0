import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/overview'

export const t = catalogue('overview', english)
