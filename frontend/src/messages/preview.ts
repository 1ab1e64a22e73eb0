import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/preview'

export const t = catalogue('preview', english)
