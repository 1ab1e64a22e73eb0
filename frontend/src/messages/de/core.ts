import { common } from './common'
import { inbox } from './inbox'
import { pastWork } from './past-work'
import { people } from './people'
import { projects } from './projects'
import { qualification } from './qualification'
import { shell } from './shell'

/** The rooms that everybody walks through, annotators too. */
export const core = { common, people, projects, qualification, shell, inbox, pastWork }
