import { benchmarks } from './benchmarks'
import { candidates } from './candidates'
import { captionMap } from './caption-map'
import { catalogue } from './catalogue'
import { chart } from './chart'
import { corpora } from './corpora'
import refusals from './desk-refusals.json'
import { difficulty } from './difficulty'
import { diversity } from './diversity'
import { explore } from './explore'
import { exports } from './exports'
import { guidelineTemplates } from './guideline-templates'
import { help } from './help'
import { history } from './history'
import { home } from './home'
import { models } from './models'
import { overview } from './overview'
import { polysemy } from './polysemy'
import { quality } from './quality'
import { releases } from './releases'
import { remarks } from './remarks'
import { review } from './review'
import { runCounts } from './run-counts'
import { runs } from './runs'
import { saving } from './saving'
import { selection } from './selection'
import { sources } from './sources'
import stages from './stages.json'
import { surveys } from './surveys'
import { templates } from './templates'
import { uploads } from './uploads'
import { webhooks } from './webhooks'

/** What the server says to them. */
export const deskRefusals: Readonly<Record<string, string>> = { ...refusals, ...stages }

/** The rooms of those who run a project; loaded with the first of their pages. */
export const desk = {
  benchmarks,
  candidates,
  captionMap,
  catalogue,
  chart,
  corpora,
  diversity,
  difficulty,
  explore,
  exports,
  guidelineTemplates,
  help,
  history,
  home,
  models,
  overview,
  polysemy,
  quality,
  releases,
  review,
  runCounts,
  runs,
  remarks,
  saving,
  selection,
  sources,
  surveys,
  templates,
  uploads,
  webhooks,
}
