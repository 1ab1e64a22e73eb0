import { t } from '@/messages/quality'

const fieldNames: Readonly<Record<string, string>> = {
  threshold: t.fromPercent,
  min_n: t.ofAtLeast,
  window: t.inNewest,
  p_value: t.chanceAtMost,
}

interface Said {
  number: number
  field: string
  most: number
}

// The server's sentences, and the same of the form: it calls the fields otherwise, and asks for shares in percent.
const kinds: readonly (readonly [RegExp, (said: Said) => string])[] = [
  [/^Rule (?<number>\d+) .*: the same rule stands above it already\.$/, ({ number }) => t.twiceTheSame({ number })],
  [/^Rule (?<number>\d+) \(position_bias\), threshold: takes a number above 0 and up to (?<most>[\d.]+);/, effect],
  [/^Rule (?<number>\d+) .*, (?<field>\w+): takes a number above 0 and up to (?<most>[\d.]+);/, share],
  [
    /^Rule (?<number>\d+) .*, (?<field>\w+): takes a whole number from 1 to (?<most>\d+);/,
    (said) => t.wantsCount(said),
  ],
  [/^A policy is a list of at most (?<most>\d+) rules/, ({ most }) => t.tooManyRules({ most })],
]

function effect({ number, most }: Said): string {
  return t.wantsShare({ number, field: t.fromEffect, most })
}

function share({ number, field, most }: Said): string {
  return t.wantsShare({ number, field, most: most * 100 })
}

/** A fault of a rule, as the server named it, in the words of the form; one that no form makes stays as it was said. */
export function faultInWords(fault: string): string {
  for (const [pattern, say] of kinds) {
    const found = pattern.exec(fault)?.groups
    if (found) return say({ number: Number(found.number), field: nameOf(found.field), most: Number(found.most) })
  }
  return fault
}

const nameOf = (field = ''): string => fieldNames[field] ?? field
