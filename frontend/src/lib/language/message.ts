/** What a catalogue is made of, and what its sentences become in the code that says them. */

/** One sentence for each plural of the language, chosen `by` one of its numbers: "{n} caption", "{n} captions". */
export interface Forms {
  readonly by: string
  readonly one: string
  readonly other: string
}

export type Message = string | Forms
export type Messages = Readonly<Record<string, Message>>

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<Name extends string, Value = string | number> = Readonly<Record<Name, Value>>
type FormNames<Each extends Forms> = Exclude<Names<Each['one'] | Each['other']>, Each['by']>

/** A plain sentence stays a string; one with places to fill becomes a function that asks for exactly those. */
export type Said<Each extends Message> = Each extends string
  ? [Names<Each>] extends [never]
    ? string
    : (values: Values<Names<Each>>) => string
  : Each extends Forms
    ? (values: Values<Each['by'], number> & Values<FormNames<Each>>) => string
    : never

export type SaidAll<All extends Messages> = { readonly [Key in keyof All]: Said<All[Key]> }

/** The same keys as the English, a sentence for a sentence, forms for forms. The tests hold the places to fill. */
export type Translation<English extends Messages> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Forms & { readonly by: string }
}
