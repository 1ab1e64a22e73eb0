import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/guideline-templates'

export const t = catalogue('guidelineTemplates', english)
