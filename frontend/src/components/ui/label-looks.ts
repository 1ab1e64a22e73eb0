import { createContext, use } from 'react'
import type { Label, Project } from '@/lib/api/contract'
import { t } from '@/messages/common'
import type { IconName } from './icon'

/** Colour, sign and word together, so that no label is told by colour alone; `said` is the word inside a sentence. */
export interface LabelLook {
  icon: IconName
  word: string
  said: string
}
export type LabelLooks = Readonly<Record<Label, LabelLook>>

const look = (icon: IconName, word: string): LabelLook => ({ icon, word, said: word.toLowerCase() })

const unsure = look('question', t.unsure)
const ofCaptions: LabelLooks = { good: look('check', t.good), bad: look('cross', t.bad), unsure }
const ofImages: LabelLooks = { good: look('check', t.relevant), bad: look('cross', t.irrelevant), unsure }

/** The words for the three labels: a caption is good or bad, an image of a query is relevant or irrelevant. */
export const labelLooksOf = (direction: Project['direction'] | undefined): LabelLooks =>
  direction === 'images_of_query' ? ofImages : ofCaptions

/** The words of the project whose page is open. */
export const LabelLooksContext = createContext(ofCaptions)

export const useLabelLooks = (): LabelLooks => use(LabelLooksContext)
