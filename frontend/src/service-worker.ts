/**
 * Lets the annotate page be opened again without a network. It keeps what everybody gets alike, the shell and the built
 * files, and never looks at the API or at pictures: what a person has in hand lies in IndexedDB (lib/store/kept-desk),
 * pictures in the browser's own cache, as the server allows. One cache for each build; the build writes their list in
 * front of this file (vite.config.ts). A new build waits until the last tab of the old one is closed.
 */

interface LateEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

interface AskingEvent extends LateEvent {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}

interface Scope {
  connoteBuild: { version: string; files: readonly string[] }
  clients: { claim: () => Promise<void> }
  location: Location
  addEventListener: ((name: 'fetch', listen: (event: AskingEvent) => void) => void) &
    ((name: 'install' | 'activate', listen: (event: LateEvent) => void) => void)
}

const scope = globalThis as unknown as Scope
const { version, files } = scope.connoteBuild
const prefix = 'connote-'
const cacheName = prefix + version
const shell = '/'
const patienceMs = 3000
const ofTheServer = /^\/(api|admin|media|static|health|version|metrics)(\/|$)/

scope.addEventListener('install', (event) => event.waitUntil(keepBuild()))
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(builtFile(request))
  else if (request.mode === 'navigate' && !ofTheServer.test(pathname)) event.respondWith(page(request))
})

async function keepBuild(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([new Request(shell, { cache: 'reload' }), ...files])
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** A built file never changes under its name: once here, it is not asked for again. */
async function builtFile(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** The server's page wherever it answers in time, so that nobody works with an old one; else the one kept here. */
async function page(request: Request): Promise<Response> {
  const kept = await (await caches.open(cacheName)).match(shell, { ignoreVary: true })
  const asked = fetch(request)
  if (!kept) return asked
  const tooLate = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), patienceMs))
  return Promise.race([asked.catch(() => kept), tooLate])
}
