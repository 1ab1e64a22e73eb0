import { english as agreement } from './quality/agreement'
import { english as annotators } from './quality/annotators'
import { english as controls } from './quality/controls'
import { english as forecast } from './quality/forecast'
import { english as imports } from './quality/imports'
import { english as page } from './quality/page'
import { english as pairs } from './quality/pairs'
import { english as person } from './quality/person'
import { english as policy } from './quality/policy'

/** The sentences of each tab lie in a file of their own; no two have one of the same name. */
export const english = {
  ...page,
  ...agreement,
  ...annotators,
  ...pairs,
  ...person,
  ...policy,
  ...controls,
  ...forecast,
  ...imports,
} as const
