import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/navigation'

export const t = catalogue('navigation', english)
