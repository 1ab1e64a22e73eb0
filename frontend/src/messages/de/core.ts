import { annotate } from './annotate'
import { common } from './common'
import { inbox } from './inbox'
import { judging } from './judging'
import { pastWork } from './past-work'
import { people } from './people'
import { projects } from './projects'
import { qualification } from './qualification'
import { shell } from './shell'

export { refusals } from './refusals'

/** The rooms that everybody walks through, annotators too. */
export const core = { annotate, common, judging, people, projects, qualification, shell, inbox, pastWork }
