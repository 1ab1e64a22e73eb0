/** The rules of cleaning in words: a short name, and what the rule does. */
interface RuleWords {
  name: string
  does: string
}

const rules: Record<string, RuleWords> = {
  markup: { name: 'Markup', does: 'takes out HTML tags and entities' },
  encoding: { name: 'Encoding', does: 'mends letters that were decoded wrongly' },
  characters: { name: 'Characters', does: 'one spelling of each character, single spaces, nothing invisible' },
  addresses: { name: 'Addresses', does: 'takes out web and e-mail addresses' },
  site_name: { name: 'Site name', does: 'takes the name of the site off a title' },
  hashtags: { name: 'Hashtags', does: 'takes off trailing hashtags' },
  keyword_list: { name: 'Keyword list', does: 'a list of hashtags instead of a sentence' },
  unstable: { name: 'Unstable', does: 'mending the text does not come to an end' },
  empty: { name: 'Empty', does: 'nothing is left to read' },
  repetition: { name: 'Repetition', does: 'more than a fifth of the content words are repeated' },
  part_of_speech: { name: 'No content', does: 'neither a noun nor a verb nor an adjective' },
  too_short: { name: 'Too short', does: 'fewer words than its source needs' },
  duplicate: { name: 'Duplicate', does: 'says the same as a caption that is kept' },
  near_duplicate: { name: 'Near-duplicate', does: 'says nearly the same as a caption that is kept' },
  by_hand: { name: 'By hand', does: 'a person dropped it' },
  kept_by_hand: { name: 'Kept by hand', does: 'a person kept it against the rules' },
  non_english: { name: 'Not English', does: 'probably written in another language' },
  adult: { name: 'For adults', does: 'has a word that is for adults' },
  personal_data: { name: 'Personal data', does: 'has an address, a telephone number or the number of a card' },
  fits_many: { name: 'Fits many pictures', does: 'models find it good for many other pictures too' },
}

const withoutUnderscores = (code: string): string => {
  const plain = code.replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** A rule or flag in words; one that this page has not heard of speaks for itself. */
export const ruleWords = (code: string): RuleWords => rules[code] ?? { name: withoutUnderscores(code), does: '' }

export const ruleName = (code: string): string => ruleWords(code).name

const sources: Record<string, string> = {
  human: 'People',
  corpus: 'Corpus',
  web: 'Web titles',
  other_image: 'Other photographs',
}

export const sourceName = (code: string): string => sources[code] ?? withoutUnderscores(code)
