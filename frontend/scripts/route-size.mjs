// Prints what a browser must fetch before a page can be used, gzipped, and fails when it is over the budget.
// Usage, after `npm run build`: node scripts/route-size.mjs [route module] [budget in kB]
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const route = process.argv[2] ?? 'src/app/routes/annotate.tsx'
const budgetKb = Number(process.argv[3] ?? 170)
const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

/** The chunk and everything it imports without being asked; what is loaded on demand does not count. */
function withImports(name, seen = new Set()) {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const imported of manifest[name].imports ?? []) withImports(imported, seen)
    return seen
}

const chunks = new Set([...withImports('index.html'), ...withImports(route)])
const files = new Set([...chunks].flatMap((name) => [manifest[name].file, ...(manifest[name].css ?? [])]))
const sizes = [...files].map((file) => [file, gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length / 1000])
for (const [file, kb] of sizes.sort((a, b) => b[1] - a[1])) console.log(`${kb.toFixed(1).padStart(7)} kB  ${file}`)

const total = sizes.reduce((sum, [, kb]) => sum + kb, 0)
console.log(`${total.toFixed(1).padStart(7)} kB  ${route} in all, gzipped (budget ${budgetKb} kB)`)
if (total > budgetKb) process.exit(1)
