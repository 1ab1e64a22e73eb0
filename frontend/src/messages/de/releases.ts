import type { Translation } from '@/lib/language/message'
import type { english } from '../en/releases'

export const releases: Translation<typeof english> = {
  releases: 'Releases',
  backToReleases: 'Zu den Releases zurückgehen',
  thePhotographs: 'Fotos',
  photographsWithCaptions: 'Fotos und ihre Bildtexte',
  goodVotes: {
    by: 'good',
    one: '{good} Stimme gut, {bad} schlecht, {unsure} unsicher',
    other: '{good} Stimmen gut, {bad} schlecht, {unsure} unsicher',
  },
  pictureGone: 'Das Bild ist nicht mehr hier.',
  files: 'Dateien',
  checksumOf: 'Prüfsumme von {name}',
  size: 'Größe',
  file: 'Datei',
  notYetForReviewers:
    'Jedes Release steht hier mit seinen Dateien und deren Prüfsummen. Bisher wurden {judgments} Urteile gefällt; der letzte Schritt des Ablaufs schneidet das Release.',
  openWalk: 'Ablauf öffnen',
  nothingReleased: 'Noch ist nichts veröffentlicht',
  notYetForAnnotators:
    'Sobald die Kuration ein Release schneidet, können seine Fotos mit ihren Bildtexten hier gelesen und heruntergeladen werden. Bis dahin gibt es zu urteilen.',
  filesOfVersion: 'Dateien von Version {version}',
  judgments: { by: 'nJudgments', one: '{nJudgments} Urteil', other: '{nJudgments} Urteile' },
  captions: { by: 'nCaptions', one: '{nCaptions} Bildtext', other: '{nCaptions} Bildtexte' },
  photographs: { by: 'nImages', one: '{nImages} Foto', other: '{nImages} Fotos' },
  checksumOfVersion: 'Prüfsumme von Version {version}',
  byWhom: ' von {createdBy}',
  version: 'Version {version}',
  earlierReleases: 'Frühere Releases zeigen',
  releasesNotShown: 'Die Releases ließen sich nicht zeigen',
  theReleases: 'Releases',
  frozen: 'Jedes ist eingefroren: Seine Bildtexte, Stimmen und Dateien ändern sich nie.',
  checksumOfRelease: 'Prüfsumme des Releases',
  notOpenYet: 'Dieses Release ist für dich noch nicht offen',
  releaseNotShown: 'Das Release ließ sich nicht zeigen',
  theRelease: 'Release',
  similarityAll: 'Mittlere Ähnlichkeit {mean}, gewählt, indem alle genommen wurden.',
  similarityBy: 'Mittlere Ähnlichkeit {mean}, gewählt durch die Suche „{method}“.',
  cut: 'Geschnitten {when}',
}
