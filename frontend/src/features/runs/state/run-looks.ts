import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Run, RunStatus } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t as counted } from '@/messages/run-counts'
import { t } from '@/messages/runs'

interface Look {
  tone: Tone
  icon: IconName
  word: string
}

/** Colour, sign and word of a run's status. */
const runLooks: Record<RunStatus, Look> = {
  queued: { tone: 'neutral', icon: 'play', word: t.queued },
  running: { tone: 'accent', icon: 'play', word: t.running },
  succeeded: { tone: 'done', icon: 'check', word: t.succeeded },
  failed: { tone: 'failed', icon: 'cross', word: t.failed },
  cancelled: { tone: 'unsure', icon: 'stop', word: t.cancelled },
}

const partly: Look = { tone: 'warning', icon: 'alert', word: t.partly }

/** How a run looks; an import that rejected rows took only a part, so it is not green. */
export const looksOf = (run: Pick<Run, 'status' | 'n_refused'>) => (isPartly(run) ? partly : runLooks[run.status])

export const isPartly = ({ status, n_refused: n }: Pick<Run, 'status' | 'n_refused'>): boolean =>
  status === 'succeeded' && n > 0

/** Why a run failed, in the language of the page. */
export const sayError = ({ code, params, message }: NonNullable<Run['error']>): string =>
  inOurLanguage(code, params ?? null, message)

export const isLive = (run: Run): boolean => run.status === 'queued' || run.status === 'running'

/** Reasons and counts of stages in the language of the page. */
const reasons: Record<string, string> = {
  missing_file: t.reasonMissing,
  missing_file_near: t.reasonMissing,
  file_several: t.reasonSeveral,
  image_several: t.reasonSeveral,
  images_differ: t.reasonSeveral,
  other_picture: t.reasonOtherPicture,
  unknown_image: t.reasonUnknownImage,
  unknown_image_near: t.reasonUnknownImage,
  no_licence: t.reasonNoLicence,
  unknown_licence: t.reasonUnknownLicence,
  not_an_image: t.reasonNoImage,
  sample_without_image: t.reasonNoImage,
  damaged: t.reasonDamaged,
  damaged_image: t.reasonDamaged,
  truncated: t.reasonDamaged,
  truncated_archive: t.reasonDamaged,
  image_not_opened: t.reasonDamaged,
  not_utf8: t.reasonNotUtf8,
  file_not_utf8: t.reasonNotUtf8,
  no_caption: t.reasonNoCaption,
  annotation_without_caption: t.reasonNoCaption,
  no_key: t.reasonNoKey,
  second_picture: t.reasonSecondImage,
  duplicate_id: t.reasonSameId,
  kind_not_read: t.reasonKind,
  svg: t.reasonKind,
  raw_photo: t.reasonKind,
  unknown_format: t.reasonNoImage,
  too_many_pixels: t.reasonPixels,
  no_bytes: t.reasonEmptyFile,
  table_empty: t.reasonEmptyFile,
  no_rows: t.reasonNoRows,
  column_missing: t.reasonNoColumn,
  not_downloaded: t.reasonNotDownloaded,
  file_damaged: t.reasonDamaged,
  nested_archive: t.reasonArchive,
  archive_kind: t.reasonArchive,
  longer_than_read: counted.longerThanRead,
  keyword_list: counted.whyKeywordList,
  unstable: counted.whyUnstable,
  empty: counted.whyEmpty,
  repetition: counted.whyRepetition,
  part_of_speech: counted.whyPartOfSpeech,
  too_short: counted.whyTooShort,
  duplicate: counted.whyDuplicate,
  near_duplicate: counted.whyNearDuplicate,
  by_hand: counted.whyByHand,
  tied: counted.whyTied,
  short_pool: counted.whyShortPool,
}

/** A reason as words; by its code where no words are kept for it: "too_short" -> "too short". */
export const reasonWords = (code: string): string => reasons[code] ?? code.replaceAll('_', ' ')
