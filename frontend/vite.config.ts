import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { keptFiles } from './scripts/kept-files.ts'

const backend = process.env.CONNOTE_DEV_BACKEND ?? 'http://127.0.0.1:8000'

const ui = [
  ...['action-button', 'announcer', 'answer-key', 'badge', 'button', 'cx', 'edited-caption', 'icon', 'judging-frame'],
  ...['key-cap', 'link-button', 'not-now', 'notes', 'notice', 'page-header', 'pressable', 'progress-bar', 'skeleton'],
  ...['states', 'toast', 'unread-mark'],
]
const lib = [
  ...['feedback/get-unread', 'format/duration', 'images/preload-image', 'language/(direction|sentence)'],
  ...['language/use-language', 'layout/bring-focus', 'on-demand', 'project/(get-progress|get-project|roles|work-left)'],
  ...['session/sign-out', 'store/new-key', 'tabs/news', 'theme/use-theme'],
]
const house = [
  `components/ui/(${ui.join('|')})`,
  `lib/(${lib.join('|')})\\.`,
  'app/shell/(shell\\.module|shell-actions|tools|top-bar)',
  'messages/(en/)?(annotate|common|shell)\\.ts',
]

// What every page needs, in two files instead of dozens: small files compress badly, and each is a request of its own.
const groups = [
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|clsx|idb|openapi-fetch|use-sync-external-store|@tanstack\/(history|query-core|react-query|react-router|react-store|router-core|store))\//,
  },
  { name: 'house', test: new RegExp(`/src/(${house.join('|')})`) },
  { name: 'photograph', test: /src\/components\/photograph\// },
]

const src = new URL('./src/', import.meta.url)
const tests = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => /\.test\.tsx?$/.test(path))
// These tests replace a module, load one a second time, or bring a database: the next file must not see it.
const changesModules = /vi\.(mock|doMock|resetModules)\(|fake-indexeddb/
const isAlone = (path: string) => changesModules.test(readFileSync(new URL(path, src), 'utf8'))
const alone = tests.filter(isAlone).map((path) => `src/${path}`)

// The server sends `script-src 'self'` and `style-src 'self'`: nothing may be inlined into index.html,
// and small assets stay files (`assetsInlineLimit: 0`) so that fonts load under `font-src 'self'`.
export default defineConfig({
  plugins: [react(), keptFiles()],
  base: '/',
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // As objects, so that the Host header stays the browser's own and Django's CSRF check sees one origin.
  server: { proxy: { '/api': { target: backend }, '/media': { target: backend } } },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    manifest: true,
    target: 'es2022',
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker.ts', docs: 'src/docs/docs.ts' },
      output: {
        codeSplitting: { groups },
        // A service worker is told by its address, and reigns over what lies below it.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost/' } },
    setupFiles: ['src/testing/setup.ts'],
    // To load jsdom and the app for each file takes more time than the tests. So most files share both.
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: ['src/**/*.test.{ts,tsx}'], exclude: alone } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    unstubGlobals: true,
    // Whole pages are judged by keyboard, perhaps on a machine that does something else besides.
    testTimeout: 20_000,
    // Else it leaves a core to the machine's user, and of two that is half.
    maxWorkers: '100%',
  },
})
