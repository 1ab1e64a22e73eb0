import type { Edit, EditKind } from './annotation-words'
import { findChanges, givenKinds, isWithin, type Kinds, type Place, spanOfKey, typedEdits } from './find-edits'
import { mostEdits } from './limits'

/**
 * What somebody changed in a caption, with the kinds of it, and never more than the server takes: beyond that the
 * neighbours with the least between them are one change, those at the end first, as words are mostly added there.
 */
export function editsOf(
  text: string,
  now: string,
  chosen: Kinds,
  stood: readonly Edit[],
  suggested: readonly Place[] = [],
): Edit[] {
  const edits = typedEdits(findChanges(text, now), chosen, stood, suggested)
  if (edits.length <= mostEdits) return edits
  const points = Array.from(text)
  const given = givenKinds(chosen, stood)
  return inGroups(edits).map((group) => {
    const joined = group.reduce((one, next) => join(points, one, next))
    return { ...joined, kind: kindOf(joined, group, given) }
  })
}

/** Which change goes with the one before it depends on the two captions alone, so that an edit kept opens as it was. */
function inGroups(edits: readonly Edit[]): Edit[][] {
  const gaps = edits.map(({ start }, at) => ({ at, gap: start - (edits[at - 1]?.end ?? -Infinity) }))
  const closest = gaps.sort((a, b) => a.gap - b.gap || b.at - a.at).slice(0, edits.length - mostEdits)
  const follows = new Set(closest.map(({ at }) => at))
  const groups: Edit[][] = []
  edits.forEach((edit, at) => {
    if (follows.has(at)) groups.at(-1)?.push(edit)
    else groups.push([edit])
  })
  return groups
}

function join(points: readonly string[], one: Edit, next: Edit): Edit {
  const between = points.slice(one.end, next.start).join('')
  const [before, after] = [one.before + between + next.before, one.after + between + next.after]
  return { ...one, end: next.end, before, after }
}

/** What a person gave to some of it holds for all of it; where they, or else the guesses, differ, it is another. */
function kindOf(joined: Edit, group: readonly Edit[], given: Kinds): EditKind {
  const inside = Object.entries(given)
    .map(([key, kind]) => ({ kind, ...spanOfKey(key) }))
    .filter((each) => isWithin(each, joined))
  const widest = inside.filter((each) => !inside.some((other) => other !== each && isWithin(each, other)))
  const [kind = 'other', ...others] = new Set((widest.length > 0 ? widest : group).map((each) => each.kind))
  return others.length > 0 ? 'other' : kind
}
