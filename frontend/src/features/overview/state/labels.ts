import { labelLooksOf } from '@/components/ui/label-looks'
import type { Label, Project } from '@/lib/api/contract'
import { t } from '@/messages/overview'

/** What differs between projects that judge captions of an image, and those that judge images of a query. */
export interface Words {
  labels: Record<Label, string>
  /** Sign and letter, so that no label is told by colour alone. */
  signs: Record<Label, string>
  disputes: string
  nextDisputes: (values: { n: number }) => string
  noAgreement: string
  laterAgreement: string
  nothingYetHint: string
  judged: string
  judgedN: (values: { n: number }) => string
}

const wordsIn = (direction: Project['direction']): Record<Label, string> => {
  const { good, bad, unsure } = labelLooksOf(direction)
  return { good: good.word, bad: bad.word, unsure: unsure.word }
}

const ofCaptions: Words = {
  labels: wordsIn('captions_of_image'),
  signs: { good: t.goodSign, bad: t.badSign, unsure: t.unsureSign },
  disputes: t.disputes,
  nextDisputes: t.nextDisputes,
  noAgreement: t.noAgreement,
  laterAgreement: t.laterAgreement,
  nothingYetHint: t.nothingYetHint,
  judged: t.captions,
  judgedN: t.captionsN,
}

const ofQueries: Words = {
  labels: wordsIn('images_of_query'),
  signs: { good: '✓', bad: '✕', unsure: '?' },
  disputes: t.disputedPairs,
  nextDisputes: t.nextPairs,
  noAgreement: t.noAgreementOfPairs,
  laterAgreement: t.laterAgreementOfPairs,
  nothingYetHint: t.nothingYetHintOfQuery,
  judged: t.pairs,
  judgedN: t.pairsN,
}

export const wordsOf = (direction: Project['direction']): Words =>
  direction === 'images_of_query' ? ofQueries : ofCaptions
