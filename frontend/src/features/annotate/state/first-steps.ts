const storageKey = (user: string) => `connote.first-steps.${user}`

/** Whether this person closed the line in this browser. */
export function hasReadFirstSteps(user: string): boolean {
  try {
    return localStorage.getItem(storageKey(user)) !== null
  } catch {
    return false
  }
}

/** A storage that is full or forbidden shows the line again, and costs nothing else. */
export function readFirstSteps(user: string): void {
  try {
    localStorage.setItem(storageKey(user), 'read')
  } catch {
    return
  }
}
