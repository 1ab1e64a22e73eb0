import { Fragment, type ReactNode } from 'react'

interface SentenceProps<Name extends string> {
  of: (values: Readonly<Record<Name, string>>) => string
  parts: Readonly<Record<Name, ReactNode>>
}

// Private-use characters: no language writes with them.
const mark = (name: string) => `\uE000${name}\uE000`

/** A sentence with elements in it, a link or a key cap, each where the language wants it. */
export function Sentence<Name extends string>({ of, parts }: SentenceProps<Name>) {
  const names = Object.keys(parts) as Name[]
  const marked = of(Object.fromEntries(names.map((name) => [name, mark(name)])) as Record<Name, string>)
  return marked
    .split('\uE000')
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece as Name]}</Fragment>)
}
