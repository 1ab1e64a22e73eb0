import { common } from './common'
import { shell } from './shell'

/** The rooms that everybody walks through, annotators too. */
export const core = { common, shell }
