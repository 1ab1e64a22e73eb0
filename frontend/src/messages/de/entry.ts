import type { Translation } from '@/lib/language/message'
import type { english } from '../en/entry'

export const entry: Translation<typeof english> = {
  takes: { by: 'minutes', one: 'Etwa {minutes} Minute', other: 'Etwa {minutes} Minuten' },
  drawing: 'Eine Zeichnung: ein Strand mit rotem Leuchtturm und gelbem Segelboot.',
  fits: 'Ein gelbes Boot segelt an einem Leuchtturm vorbei.',
  fitsWhy: 'Das passt zum Bild.',
  fitsNot: 'Zwei braune Hunde spielen im Schnee.',
  fitsNotWhy: 'Das Bild zeigt keine Hunde und keinen Schnee.',
}
