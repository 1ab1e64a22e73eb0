/** From where a release is read: as a member, or by its public link. */
export type ReleaseSource = { kind: 'member'; id: string } | { kind: 'visitor'; token: string }

/** The first parts of the keys of everything that is read of a release. */
export const keyOf = (source: ReleaseSource) =>
  source.kind === 'member' ? (['release', source.id] as const) : (['public-release', source.token] as const)
