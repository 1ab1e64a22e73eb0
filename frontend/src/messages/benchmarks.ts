import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/benchmarks'

export const t = catalogue('benchmarks', english)
