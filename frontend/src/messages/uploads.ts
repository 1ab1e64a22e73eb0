import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/uploads'

export const t = catalogue('uploads', english)
