import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const backend = process.env.CONNOTE_DEV_BACKEND ?? 'http://127.0.0.1:8000'

// The server sends `script-src 'self'` and `style-src 'self'`: nothing may be inlined into index.html,
// and small assets stay files (`assetsInlineLimit: 0`) so that fonts load under `font-src 'self'`.
export default defineConfig({
  plugins: [react()],
  base: '/',
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // As objects, so that the Host header stays the browser's own and Django's CSRF check sees one origin.
  server: { proxy: { '/api': { target: backend }, '/media': { target: backend } } },
  build: { outDir: 'dist', assetsDir: 'assets', assetsInlineLimit: 0, manifest: true, target: 'es2022' },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost/' } },
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // Whole pages are judged by keyboard, perhaps on a machine that does something else besides.
    testTimeout: 20_000,
  },
})
