const storageKey = (table: string) => `connote.columns.${table}`

/** Which columns of a table this browser does not show. Where it keeps nothing, or nonsense, all of them show. */
export function readHidden(table: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(table)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function keepHidden(table: string, ids: readonly string[]): void {
  try {
    localStorage.setItem(storageKey(table), JSON.stringify(ids))
  } catch {
    return
  }
}
