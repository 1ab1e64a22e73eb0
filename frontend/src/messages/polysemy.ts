import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/polysemy'

export const t = catalogue('polysemy', english)
