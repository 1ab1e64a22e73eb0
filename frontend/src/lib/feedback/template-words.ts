import type { FeedbackTemplate, RemarkTemplate } from '@/lib/api/served'
import { t } from '@/messages/templates'

interface Words {
  name: string
  text: string
}

/** What the server's own templates say, in the language of the page. */
const defaults: Readonly<Record<string, Words>> = {
  wrong_object: { name: t.wrongObject, text: t.wrongObjectText },
  wrong_count: { name: t.wrongCount, text: t.wrongCountText },
  wrong_attribute: { name: t.wrongAttribute, text: t.wrongAttributeText },
  wrong_place: { name: t.wrongPlace, text: t.wrongPlaceText },
  figurative_allowed: { name: t.figurativeAllowed, text: t.figurativeAllowedText },
  too_generic: { name: t.tooGeneric, text: t.tooGenericText },
  guideline: { name: t.guideline, text: t.guidelineText },
}

const ownOf = ({ code, is_own }: RemarkTemplate): Words | undefined => (is_own ? undefined : defaults[code])

export const templateName = (template: RemarkTemplate): string => ownOf(template)?.name ?? template.name

export const templateText = (template: FeedbackTemplate): string => ownOf(template)?.text ?? template.text
