import type { Translation } from '@/lib/language/message'
import type { english } from '../en/guideline-templates'

export const guidelineTemplates: Translation<typeof english> = {
  meaningsName: 'Bildtexte mit vielen Bedeutungen',
  meaningsDetail: 'Wörtliche und bildhafte Bildtexte sind gut.',
  meaningsText: `# Was gut ist

Ein Bildtext ist **gut**, wenn ein Mensch ihn über dieses Bild sagen könnte. Er kann beschreiben, was man sieht. Er kann auch eine Metapher, ein Witz oder ein Gefühl sein.

# Was schlecht ist

Ein Bildtext ist **schlecht**, wenn er etwas Falsches sagt. Zum Beispiel nennt er einen Gegenstand, der fehlt, oder er zählt falsch.

# Wann du „unsicher“ antwortest

Antworte **unsicher**, wenn du einen Namen oder einen Ort im Bildtext nicht kennst.

# Beispiele

Das Bild zeigt eine leere Bank im Regen.

* „Eine nasse Bank in einem Park.“ Gut: Der Text beschreibt das Bild.
* „Warten ist eine einsame Arbeit.“ Gut: Der Text ist eine Metapher für das Bild.
* „Zwei Kinder sitzen auf einer Bank.“ Schlecht: Dort sitzt niemand.
`,
  literalName: 'Wörtliche Beschreibungen',
  literalDetail: 'Ein Bildtext ist nur gut, wenn das Bild alles zeigt.',
  literalText: `# Was gut ist

Ein Bildtext ist **gut**, wenn das Bild alles zeigt, was er sagt.

# Was schlecht ist

Ein Bildtext ist **schlecht**, wenn ein Teil falsch ist oder nicht zu sehen ist. Auch Gefühle und Vermutungen sind schlecht.

# Wann du „unsicher“ antwortest

Antworte **unsicher**, wenn das Bild zu klein oder zu dunkel ist.

# Beispiele

Das Bild zeigt ein rotes Fahrrad vor einer Mauer.

* „Ein rotes Fahrrad an einer Mauer.“ Gut: Das Bild zeigt alles.
* „Ein blaues Fahrrad an einer Mauer.“ Schlecht: Die Farbe ist falsch.
* „Jemand ist in Eile gegangen.“ Schlecht: Das zeigt das Bild nicht.
`,
  queryName: 'Bilder zu einem Text',
  queryDetail: 'Ein Bild ist relevant, wenn der Text dazu passt.',
  queryText: `# Was relevant ist

Ein Bild ist **relevant**, wenn ein Mensch den Text darüber sagen könnte.

# Was irrelevant ist

Ein Bild ist **irrelevant**, wenn der Text nicht passt. Es ist auch irrelevant, wenn er nur zu einem kleinen Teil passt.

# Wann du „unsicher“ antwortest

Antworte **unsicher**, wenn du den Text nicht verstehst.

# Beispiele

Der Text ist „Ein stiller Ort zum Warten“.

* Eine leere Bank in einem Park. Relevant: Dort kann man in Ruhe warten.
* Ein leerer Bahnhof in der Nacht. Relevant.
* Ein voller Markt. Irrelevant: Er ist nicht still.
`,
}
