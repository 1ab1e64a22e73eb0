import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/common'

export const t = catalogue('common', english)
