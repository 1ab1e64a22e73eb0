import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/remarks'

export const t = catalogue('remarks', english)
