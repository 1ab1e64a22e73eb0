import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/first-steps'

export const t = catalogue('firstSteps', english)
