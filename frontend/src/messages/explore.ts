import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/explore'

export const t = catalogue('explore', english)
