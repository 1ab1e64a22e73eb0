import type { Translation } from '@/lib/language/message'
import type { english } from '../en/templates'

export const templates: Translation<typeof english> = {
  wrongObject: 'Falscher Gegenstand',
  wrongObjectText: 'Der Bildtext nennt etwas, das nicht im Bild ist. Sieh dir das Bild noch einmal an.',
  wrongCount: 'Falsche Anzahl',
  wrongCountText: 'Die Anzahl im Bildtext passt nicht zum Bild. Bitte zähle noch einmal.',
  wrongAttribute: 'Falsche Eigenschaft',
  wrongAttributeText: 'Eine Farbe, eine Größe oder ein Material im Bildtext passt nicht zum Bild.',
  wrongPlace: 'Falscher Ort',
  wrongPlaceText: 'Der Ort oder die Lage im Bildtext passt nicht zum Bild.',
  figurativeAllowed: 'Übertragen ist erlaubt',
  figurativeAllowedText:
    'Eine Metapher kann zu einem Bild passen. Sie passt, wenn jemand das zu diesem Bild sagen könnte.',
  tooGeneric: 'Zu allgemein',
  tooGenericText: 'Dieser Bildtext passt zu vielen anderen Bildern. Markiere ihn als zu allgemein.',
  guideline: 'Richtlinien neu lesen',
  guidelineText: 'Die Richtlinien erklären diesen Fall. Bitte lies sie noch einmal, bevor du weitermachst.',
}
