import { type IDBPDatabase, openDB } from 'idb'
import { audience } from '@/lib/observed'

/** What this browser keeps of work that is not at the server yet: one shelf for each kind of row. */
export interface Row {
  id: string
}

export type ShelfName = 'drafts' | 'outbox' | 'desk'

/** Never rejects: where IndexedDB is forbidden, full or silent, a row lies in this page's memory instead. */
export interface Shelf<Kept extends Row> {
  get: (id: string) => Promise<Kept | undefined>
  all: () => Promise<Kept[]>
  put: (row: Kept) => Promise<void>
  drop: (id: string) => Promise<void>
}

const shelves: readonly ShelfName[] = ['drafts', 'outbox', 'desk']
const patienceMs = 2000
const inMemory: Record<ShelfName, Map<string, Row>> = { drafts: new Map(), outbox: new Map(), desk: new Map() }
const storeTrouble = audience()
let opening: Promise<IDBPDatabase> | null = null

/** Calls back once a row could not be kept: from then on closing the page would lose it. */
export const onStoreTrouble = storeTrouble.subscribe

export function shelf<Kept extends Row>(name: ShelfName): Shelf<Kept> {
  const memory = inMemory[name] as Map<string, Kept>
  const stored = async () => ((await attempt((database) => database.getAll(name))) ?? []) as Kept[]
  return {
    get: async (id) => memory.get(id) ?? ((await attempt((database) => database.get(name, id))) as Kept | undefined),
    all: async () => [...(await stored()).filter(({ id }) => !memory.has(id)), ...memory.values()],
    put: async (row) => {
      const isKept = await attempt((database) => putAtOnce(database, name, row))
      if (isKept !== undefined) {
        memory.delete(row.id)
        return
      }
      memory.set(row.id, row)
      storeTrouble.tell()
    },
    drop: async (id) => {
      memory.delete(id)
      await attempt((database) => database.delete(name, id))
    },
  }
}

/** Committed without waiting for this page to hear of it: one that is closed right after the key has kept it, too. */
async function putAtOnce(database: IDBPDatabase, name: ShelfName, row: Row): Promise<true> {
  const transaction = database.transaction(name, 'readwrite')
  const put = transaction.store.put(row)
  transaction.commit()
  await Promise.all([put, transaction.done])
  return true
}

/** Empties every shelf. */
export async function clearShelves(): Promise<void> {
  for (const name of shelves) {
    inMemory[name].clear()
    await attempt((database) => database.clear(name))
  }
}

/** What the database answers; undefined where there is none, or where it refuses. */
async function attempt<Answer>(ask: (database: IDBPDatabase) => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask(await open())
  } catch {
    return undefined
  }
}

/** A database that does not open in time holds up no work: it goes on opening, and is asked again the next time. */
function open(): Promise<IDBPDatabase> {
  opening ??= openDatabase().then(putAway, (trouble: unknown) => {
    opening = null
    throw trouble
  })
  return inTime(opening)
}

const openDatabase = async () =>
  openDB('connote', 2, {
    upgrade: (database) =>
      shelves
        .filter((name) => !database.objectStoreNames.contains(name))
        .forEach((name) => database.createObjectStore(name, { keyPath: 'id' })),
    // A newer page of the site waits for this one to let go; the next reading or writing opens it anew.
    blocking: (_current, _wanted, event) => {
      ;(event.target as IDBDatabase).close()
      opening = null
    },
    terminated: () => {
      opening = null
    },
  })

/** What had to lie in memory while there was no database; what it refuses stays there. */
async function putAway(database: IDBPDatabase): Promise<IDBPDatabase> {
  for (const name of shelves) {
    const memory = inMemory[name]
    for (const row of [...memory.values()]) {
      const isKept = await database.put(name, row).catch(() => undefined)
      if (isKept !== undefined && memory.get(row.id) === row) memory.delete(row.id)
    }
  }
  return database
}

const inTime = (database: Promise<IDBPDatabase>): Promise<IDBPDatabase> =>
  Promise.race([
    database,
    new Promise<never>((_resolve, reject) =>
      setTimeout(() => reject(new Error(`IndexedDB did not open within ${patienceMs} ms.`)), patienceMs),
    ),
  ])
