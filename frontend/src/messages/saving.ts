import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/saving'

export const t = catalogue('saving', english)
