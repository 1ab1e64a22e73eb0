import type { Translation } from '@/lib/language/message'
import type { english } from '../en/quality'
import { agreement } from './quality/agreement'
import { annotators } from './quality/annotators'
import { controls } from './quality/controls'
import { forecast } from './quality/forecast'
import { imports } from './quality/imports'
import { page } from './quality/page'
import { pairs } from './quality/pairs'
import { person } from './quality/person'
import { policy } from './quality/policy'

export const quality: Translation<typeof english> = {
  ...page,
  ...agreement,
  ...annotators,
  ...pairs,
  ...person,
  ...policy,
  ...controls,
  ...forecast,
  ...imports,
}
