import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/selection'

export const t = catalogue('selection', english)
