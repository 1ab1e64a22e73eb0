import type { Said } from '@/lib/api/served'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/quality'

const fieldNames: Readonly<Record<string, string>> = {
  threshold: t.fromPercent,
  min_n: t.ofAtLeast,
  window: t.inNewest,
  p_value: t.chanceAtMost,
}

/** A fault of a rule in the words of the form. It calls the fields otherwise than the server, and shares are percents. */
export function faultInWords(fault: Said): string {
  const { number, field, most, isEffect } = valuesOf(fault)
  switch (fault.code) {
    case 'rule_twice':
      return t.twiceTheSame({ number })
    case 'rule_share':
      return t.wantsShare(isEffect ? { number, field: t.fromEffect, most } : { number, field, most: most * 100 })
    case 'rule_count':
      return t.wantsCount({ number, field, most })
    case 'rules_too_many':
      return t.tooManyRules({ most })
    default:
      return say(fault)
  }
}

function valuesOf({ params }: Said) {
  const field = String(params.field)
  return {
    number: Number(params.number),
    most: Number(params.most),
    field: fieldNames[field] ?? field,
    isEffect: params.collector === 'position_bias' && field === 'threshold',
  }
}
