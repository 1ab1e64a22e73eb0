import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/qualification'

export const t = catalogue('qualification', english)
