/** Asks the browser to keep the built page, so that a reload without a network opens it: src/service-worker.ts. */
export async function keepShell(): Promise<void> {
  // Missing outside secure contexts, whatever its type says.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!import.meta.env.PROD || !workers) return
  // Without it everything works but a reload offline; a private window may forbid it.
  await workers.register('/service-worker.js').catch(() => undefined)
}
