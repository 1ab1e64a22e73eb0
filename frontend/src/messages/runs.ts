import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/runs'

export const t = catalogue('runs', english)
