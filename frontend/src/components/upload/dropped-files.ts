import type { DirectoryDropItem, DropItem, FileDropItem } from 'react-aria-components'

const isFile = (item: DropItem): item is FileDropItem => item.kind === 'file'
const isDirectory = (item: DropItem): item is DirectoryDropItem => item.kind === 'directory'

/** Every file in what was dropped, folders opened all the way down; the system's own hidden files are left out. */
export async function filesIn(items: Iterable<DropItem> | AsyncIterable<DropItem>): Promise<File[]> {
  const files: File[] = []
  for await (const item of items) {
    if (isFile(item) && !item.name.startsWith('.')) files.push(await item.getFile())
    if (isDirectory(item)) files.push(...(await filesIn(item.getEntries())))
  }
  return files
}

/** Adds files to a choice; one of the same name and size is the same file. */
export function withFiles(chosen: readonly File[], added: readonly File[]): File[] {
  const known = new Set(chosen.map((file) => `${file.name} ${file.size}`))
  return [...chosen, ...added.filter((file) => !known.has(`${file.name} ${file.size}`))]
}
