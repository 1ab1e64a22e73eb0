import { catalogue } from '@/lib/language/catalogue'
import { english } from './en/survey-answering'

export const t = catalogue('surveyAnswering', english)
