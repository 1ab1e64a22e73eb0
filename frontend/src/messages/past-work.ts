import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/past-work'

export const t = catalogue('pastWork', english)
