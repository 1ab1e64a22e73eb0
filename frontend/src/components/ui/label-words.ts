import type { Label } from '@/lib/api/contract'
import { formatCount } from '@/lib/format/numbers'
import { type LabelLooks, labelLooksOf } from './label-looks'

const labels: readonly Label[] = ['good', 'bad', 'unsure']
const both = (['captions_of_image', 'images_of_query'] as const).map(labelLooksOf)

/** "2 good, 1 bad, 0 unsure" */
export const votesInWords = (votes: Readonly<Record<Label, number>>, looks: LabelLooks): string =>
  labels.map((label) => `${formatCount(votes[label])} ${looks[label].said}`).join(', ')

/** What is made of the words of both directions, made once for each. */
export function perLooks<Made>(make: (looks: LabelLooks) => Made): (looks: LabelLooks) => Made {
  const made = new Map(both.map((looks) => [looks, make(looks)]))
  return (looks) => made.get(looks) ?? make(looks)
}
