import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/quality'

export const t = catalogue('quality', english)
