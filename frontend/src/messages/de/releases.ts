import type { Translation } from '@/lib/language/message'
import type { english } from '../en/releases'

export const releases: Translation<typeof english> = {
  releases: 'Releases',
  backToReleases: 'Zu den Releases zurückgehen',
  thePhotographs: 'Bilder',
  photographsWithCaptions: 'Bilder und ihre Bildtexte',
  goodVotes: {
    by: 'good',
    one: '{good} Stimme gut, {bad} schlecht, {unsure} unsicher',
    other: '{good} Stimmen gut, {bad} schlecht, {unsure} unsicher',
  },
  pictureGone: 'Das Bild ist nicht mehr vorhanden.',
  files: 'Dateien',
  checksumOf: 'Prüfsumme von {name}',
  size: 'Größe',
  file: 'Datei',
  notYetForReviewers:
    'Hier erscheinen Releases mit ihren Dateien und Prüfsummen. Antworten bisher: {judgments}. Der letzte Schritt der Pipeline erstellt ein Release.',
  openWalk: 'Pipeline öffnen',
  nothingReleased: 'Noch kein Release',
  notYetForAnnotators:
    'Ein Release zeigt hier seine Bilder mit Bildtexten, und du kannst es herunterladen. Die Kuration muss es zuerst erstellen. Bis dahin kannst du Aufgaben bearbeiten.',
  filesOfVersion: 'Dateien von Version {version}',
  judgments: { by: 'nJudgments', one: '{nJudgments} Antwort', other: '{nJudgments} Antworten' },
  captions: { by: 'nCaptions', one: '{nCaptions} Bildtext', other: '{nCaptions} Bildtexte' },
  photographs: { by: 'nImages', one: '{nImages} Bild', other: '{nImages} Bilder' },
  checksumOfVersion: 'Prüfsumme von Version {version}',
  byWhom: ' von {createdBy}',
  version: 'Version {version}',
  earlierReleases: 'Frühere Releases anzeigen',
  releasesNotShown: 'Die Releases konnten nicht geladen werden',
  theReleases: 'Releases',
  frozen: 'Ein Release ändert sich nie. Seine Bildtexte, Stimmen und Dateien bleiben gleich.',
  checksumOfRelease: 'Prüfsumme des Releases',
  notOpenYet: 'Du kannst dieses Release noch nicht öffnen',
  releaseNotShown: 'Das Release konnte nicht geladen werden',
  theRelease: 'Release',
  similarityAll: 'Alle guten Bildtexte sind ausgewählt (mittlere Ähnlichkeit {mean}).',
  similarityBy: 'Ausgewählt durch die Suche „{method}“ (mittlere Ähnlichkeit {mean}).',
  cut: 'Veröffentlicht {when}',
}
