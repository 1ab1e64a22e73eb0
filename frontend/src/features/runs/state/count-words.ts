import { t } from '@/messages/run-counts'

/** What a stage counted, as a person reads it under the number; and what follows from it, where that is not plain. */
export interface CountWords {
  name: string
  hint?: string
}

/** What goes in and what comes out of each stage. */
const ends: Record<string, readonly [taken: string, made: string]> = {
  import_images: [t.imagesRead, t.imagesAdded],
  import_candidates: [t.captionsRead, t.captionsAdded],
  import_queries: [t.queriesRead, t.pairsAdded],
  embed_corpus: [t.corpusRead, t.corpusReady],
  retrieve: [t.imagesSearched, t.captionsAdded],
  web_titles: [t.lookedUp, t.captionsAdded],
  clean: [t.captionsToClean, t.captionsKept],
  generic: [t.captionsCompared, t.captionsScored],
  suggest_edits: [t.captionsToClean, t.captionsWithEdits],
  build_hits: [t.pairsWaiting, t.pairsInTasks],
  consensus: [t.pairsAnswered, t.pairsDecided],
  select: [t.imagesToFill, t.imagesFilled],
  difficulty: [t.captionsToRate, t.captionsRated],
  preview_policy: [t.peopleChecked, t.peopleDone],
  apply_policy: [t.peopleChecked, t.peopleDone],
  release: [t.imagesSelected, t.imagesReleased],
  sample: [t.imagesToSample, t.imagesSampled],
  map_captions: [t.captionsToPlace, t.captionsPlaced],
  evaluate: [t.modelsGiven, t.modelsComputed],
}

const words: Record<string, CountWords> = {
  already_there: { name: t.imagesThere },
  known: { name: t.captionsKnown },
  queries: { name: t.queriesAdded },
  shards: { name: t.corpusParts },
  shards_refused: { name: t.corpusPartsRefused },
  pictures: { name: t.pictures },
  suspects: { name: t.suspects, hint: t.suspectsHint },
  suspects_not_listed: { name: t.suspectsNotListed },
  could_widen: { name: t.couldWiden, hint: t.couldWidenHint },
  noise: { name: t.noise, hint: t.noiseHint },
  cached: { name: t.cached },
  units: { name: t.units },
  skipped: { name: t.skipped },
  without_titles: { name: t.withoutTitles },
  decided: { name: t.decidedByPeople },
  in_hits: { name: t.inTasks, hint: t.inTasksHint },
  repaired_addresses: { name: t.repairedAddresses },
  repaired_characters: { name: t.repairedCharacters },
  repaired_encoding: { name: t.repairedEncoding },
  repaired_hashtags: { name: t.repairedHashtags },
  repaired_markup: { name: t.repairedMarkup },
  repaired_site_name: { name: t.repairedSiteName },
  color: { name: t.colours },
  location: { name: t.places },
  number: { name: t.numbers },
  object_name: { name: t.objects },
  person: { name: t.persons },
  hits: { name: t.tasks },
  good: { name: t.good },
  bad: { name: t.bad },
  unsure: { name: t.unsure },
  tied: { name: t.tied },
  longer_than_read: { name: t.longerThanRead },
  easy: { name: t.easy },
  medium: { name: t.medium },
  hard: { name: t.hard },
  flagged_fits_many: { name: t.fitsMany },
  no_decided_pair: { name: t.undecided },
  changed_meanwhile: { name: t.changedMeanwhile },
  captions: { name: t.captionsReleased },
  judgments: { name: t.answersReleased },
  left: { name: t.imagesLeft },
  changed: { name: t.peopleChanged },
  n_judgments_stop: { name: t.answersStop },
  n_judgments_start: { name: t.answersStart },
  n_pairs_reopen: { name: t.pairsReopen },
  no_picture: { name: t.withoutPicture },
}

export const wordsOfIn = (stage: string): string => ends[stage]?.[0] ?? t.itemsIn
export const wordsOfOut = (stage: string): string => ends[stage]?.[1] ?? t.itemsOut

/** A count that this page has not heard of speaks for itself: "new_thing" -> "new thing". */
export const wordsOfCount = (name: string): CountWords => words[name] ?? { name: name.replaceAll('_', ' ') }
