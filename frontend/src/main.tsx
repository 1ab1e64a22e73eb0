import '@fontsource-variable/source-sans-3/wght.css'
import '@fontsource-variable/source-serif-4/wght.css'
import '@/styles/tokens.css'
import '@/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/app'
import { announceLanguage } from '@/lib/language/language'
import { applyTheme, storedTheme } from '@/lib/theme/theme'

announceLanguage()
applyTheme(storedTheme())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has lost its #root element.')

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
