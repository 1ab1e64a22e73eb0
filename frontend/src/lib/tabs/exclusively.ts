/**
 * Runs the work while no other tab of this browser runs work of that name; others wait for their turn. Where a browser
 * has no locks (a page without HTTPS) it runs at once: the server takes a repeated submit only once in any case.
 */
export async function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  // Missing outside secure contexts, whatever its type says.
  const locks = navigator.locks as LockManager | undefined
  await (locks ? locks.request(name, work) : work())
}
