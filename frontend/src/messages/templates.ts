import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/templates'

export const t = catalogue('templates', english)
