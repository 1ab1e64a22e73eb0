import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/run-counts'

export const t = catalogue('runCounts', english)
