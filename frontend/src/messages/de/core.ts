import { annotate } from './annotate'
import { common } from './common'
import { entry } from './entry'
import { firstSteps } from './first-steps'
import { inbox } from './inbox'
import { judging } from './judging'
import { keys } from './keys'
import { navigation } from './navigation'
import { pastWork } from './past-work'
import { people } from './people'
import { preview } from './preview'
import { projects } from './projects'
import { qualification } from './qualification'
import sentences from './refusals.json'
import { shell } from './shell'
import { surveyAnswering } from './survey-answering'

/** The server's sentences by their codes. A test holds them to the server: tests/backend/common/test_sentences.py. */
export const refusals: Readonly<Record<string, string>> = sentences

/** The rooms that everybody walks through, annotators too. */
export const core = {
  annotate,
  common,
  entry,
  firstSteps,
  judging,
  keys,
  navigation,
  people,
  preview,
  projects,
  qualification,
  shell,
  inbox,
  pastWork,
  surveyAnswering,
}
