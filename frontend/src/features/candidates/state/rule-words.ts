import { withoutUnderscores } from '@/lib/candidates/source-name'
import { t } from '@/messages/candidates'

/** The rules of cleaning in words: a short name, and what the rule does. */
interface RuleWords {
  name: string
  does: string
}

const rules: Record<string, RuleWords> = {
  markup: { name: t.markup, does: t.markupDoes },
  encoding: { name: t.encoding, does: t.encodingDoes },
  characters: { name: t.characters, does: t.charactersDoes },
  addresses: { name: t.addresses, does: t.addressesDoes },
  site_name: { name: t.siteName, does: t.siteNameDoes },
  hashtags: { name: t.hashtags, does: t.hashtagsDoes },
  keyword_list: { name: t.keywordList, does: t.keywordListDoes },
  unstable: { name: t.unstable, does: t.unstableDoes },
  empty: { name: t.empty, does: t.emptyDoes },
  repetition: { name: t.repetition, does: t.repetitionDoes },
  part_of_speech: { name: t.noContent, does: t.noContentDoes },
  too_short: { name: t.tooShort, does: t.tooShortDoes },
  duplicate: { name: t.duplicate, does: t.duplicateDoes },
  near_duplicate: { name: t.nearDuplicate, does: t.nearDuplicateDoes },
  by_hand: { name: t.byHand, does: t.byHandDoes },
  kept_by_hand: { name: t.keptByHand, does: t.keptByHandDoes },
  non_english: { name: t.notEnglish, does: t.notEnglishDoes },
  adult: { name: t.forAdults, does: t.forAdultsDoes },
  personal_data: { name: t.personalData, does: t.personalDataDoes },
  fits_many: { name: t.fitsMany, does: t.fitsManyDoes },
}

/** A rule or flag in words; one that this page has not heard of speaks for itself. */
export const ruleWords = (code: string): RuleWords => rules[code] ?? { name: withoutUnderscores(code), does: '' }

export const ruleName = (code: string): string => ruleWords(code).name
