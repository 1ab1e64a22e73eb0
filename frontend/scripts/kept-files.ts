import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest, Plugin } from 'vite'

const route = 'src/app/routes/annotate.tsx'
const languages = ['src/messages/de/core.ts']

/** Writes in front of the service worker which files of this build it keeps: those the annotate page is made of. */
export const keptFiles = (): Plugin => ({
  name: 'connote-kept-files',
  apply: 'build',
  closeBundle() {
    const folder = this.environment.config.build.outDir
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const manifest = JSON.parse(read('.vite/manifest.json')) as Manifest
    const names = [...withImports(manifest, 'index.html', false), ...withImports(manifest, route, true)]
    languages.forEach((name) => names.push(...withImports(manifest, name, false)))
    const files = [...new Set(names.flatMap((name) => filesOf(manifest, name)))].sort()
    const version = createHash('sha256')
      .update(read('index.html') + files.join())
      .digest('hex')
      .slice(0, 12)
    const build = JSON.stringify({ version, files: files.map((file) => `/${file}`) })
    writeFileSync(join(folder, 'service-worker.js'), `globalThis.connoteBuild=${build};\n${read('service-worker.js')}`)
  },
})

/** A module and all that it imports; with `onDemand` what it may load later, too. */
function withImports(manifest: Manifest, name: string, onDemand: boolean, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk || seen.has(name)) return seen
  seen.add(name)
  const next =
    onDemand && name !== 'index.html' ? [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])] : chunk.imports
  next?.forEach((each) => withImports(manifest, each, onDemand, seen))
  return seen
}

const filesOf = (manifest: Manifest, name: string): string[] => {
  const chunk = manifest[name]
  return chunk ? [chunk.file, ...(chunk.css ?? [])] : []
}
