import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/models'

export const t = catalogue('models', english)
