import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/home'

export const t = catalogue('home', english)
