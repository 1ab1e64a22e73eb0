import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/candidates'

export const t = catalogue('candidates', english)
