import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/shell'

export const t = catalogue('shell', english)
