import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/chart'

export const t = catalogue('chart', english)
