import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/guideline-templates'

export interface GuidelineTemplate {
  id: string
  name: string
  detail: string
  text: string
}

const ofCaptions: readonly GuidelineTemplate[] = [
  { id: 'meanings', name: t.meaningsName, detail: t.meaningsDetail, text: t.meaningsText },
  { id: 'literal', name: t.literalName, detail: t.literalDetail, text: t.literalText },
]
const ofQueries: readonly GuidelineTemplate[] = [
  { id: 'query', name: t.queryName, detail: t.queryDetail, text: t.queryText },
]

/** Texts to begin the guidelines of such a project with. */
export const templatesFor = (direction: Project['direction']): readonly GuidelineTemplate[] =>
  direction === 'images_of_query' ? ofQueries : ofCaptions
