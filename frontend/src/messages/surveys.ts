import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/surveys'

export const t = catalogue('surveys', english)
