import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useActions } from '@/lib/actions/action-context'
import { signOut } from '@/lib/session/sign-out'
import { useTheme } from '@/lib/theme/use-theme'
import { shellActions } from './shell-actions'
import styles from './shell.module.css'
import { TopBar } from './top-bar'

const HelpSheet = lazy(() => import('./help-sheet').then((module) => ({ default: module.HelpSheet })))
const CommandPalette = lazy(() => import('./command-palette').then((module) => ({ default: module.CommandPalette })))

type Overlay = 'help' | 'palette' | null

/** The frame around every signed-in page: top bar, help sheet, command palette. */
export function AppShell() {
  const [overlay, setOverlay] = useState<Overlay>(null)
  useShellActions(setOverlay)
  const close = () => setOverlay(null)
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <TopBar />
      <div id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </div>
      <Suspense fallback={null}>
        {overlay === 'help' && <HelpSheet onClose={close} />}
        {overlay === 'palette' && <CommandPalette onClose={close} />}
      </Suspense>
    </div>
  )
}

function useShellActions(show: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const { cycle } = useTheme()
  const leave = useSignOut()
  useActions(shellActions, {
    'help.open': () => show('help'),
    'palette.open': () => show('palette'),
    'go.projects': () => void navigate({ to: '/' }),
    'theme.next': cycle,
    'session.end': leave,
  })
}

function useSignOut(): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  return () => mutate()
}
