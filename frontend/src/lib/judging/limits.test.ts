import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longestCaption, longestComment, mostEdits } from './limits'

type Schema = Record<string, { properties: Record<string, { maxLength?: number; maxItems?: number }> }>

const { schemas } = (JSON.parse(readFileSync('schema.json', 'utf8')) as { components: { schemas: Schema } }).components
const limitsOf = (schema: string, name: string) => schemas[schema]?.properties[name]

test.each(['JudgmentInRequest', 'JudgmentRevisionInRequest', 'DraftAnswerIORequest'])(
  'what a person may say of an item is what %s takes',
  (said) => {
    expect(limitsOf(said, 'edits')?.maxItems).toBe(mostEdits)
    expect(limitsOf(said, 'comment')?.maxLength).toBe(longestComment)
  },
)

test.each([
  ['EditRequest', 'before'],
  ['EditRequest', 'after'],
  ['DraftWritingIORequest', 'text'],
])('%s takes as %s whatever the field of a caption does', (schema, name) => {
  expect(limitsOf(schema, name)?.maxLength).toBeGreaterThanOrEqual(longestCaption)
})
