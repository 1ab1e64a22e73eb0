import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/projects'

export const t = catalogue('projects', english)
