import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/webhooks'

export const t = catalogue('webhooks', english)
