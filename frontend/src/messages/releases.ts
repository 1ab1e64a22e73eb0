import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/releases'

export const t = catalogue('releases', english)
