import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/people'

export const t = catalogue('people', english)
