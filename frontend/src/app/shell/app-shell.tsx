import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { cx } from '@/components/ui/cx'
import { useActions } from '@/lib/actions/action-context'
import { useSavedLanguage } from '@/lib/language/use-language'
import { onDemand, usePreload } from '@/lib/on-demand'
import { signOut } from '@/lib/session/sign-out'
import { useTheme } from '@/lib/theme/use-theme'
import { t } from '@/messages/shell'
import { shellActions } from './shell-actions'
import styles from './shell.module.css'
import { SignInAgain, SignInDialog } from './sign-in-again'
import { TopBar } from './top-bar'

const HelpSheet = onDemand(() => import('./help-sheet').then((module) => module.HelpSheet))
const Navigation = onDemand(
  () => import('./navigation').then((module) => module.Navigation),
  () => <div className={styles.navigationSpace} />,
)
const CommandPalette = onDemand(() => import('./command-palette').then((module) => module.CommandPalette))
const TipLayer = onDemand(() => import('@/components/ui/tip-layer').then((module) => module.TipLayer))
const likelySoon = [HelpSheet, CommandPalette, SignInDialog]

type Overlay = 'help' | 'palette' | null

/** The pages of one person's work, where the navigation is one quiet line. */
const isJudging = (pathname: string) => /^\/projects\/[^/]+\/(annotate|qualify)\/?$/.test(pathname)

/** The frame around every signed-in page: navigation, help sheet, command palette. */
export function AppShell() {
  const [overlay, setOverlay] = useState<Overlay>(null)
  const isQuiet = isJudging(useLocation().pathname)
  useShellActions(setOverlay)
  useSavedLanguage()
  usePreload(likelySoon)
  const page = useRef<HTMLDivElement>(null)
  useFocusOnNewPage(page)
  const close = () => setOverlay(null)
  return (
    <div className={cx(styles.shell, isQuiet ? styles.quiet : styles.site)}>
      <a className={styles.skip} href="#page">
        {t.skipToPage}
      </a>
      {isQuiet ? <TopBar /> : <Navigation />}
      <div id="page" ref={page} className={styles.page} tabIndex={-1}>
        <Outlet />
      </div>
      <SignInAgain />
      <TipLayer />
      {overlay === 'help' && <HelpSheet onClose={close} />}
      {overlay === 'palette' && <CommandPalette onClose={close} />}
    </div>
  )
}

/** A screen reader goes on reading where the new page begins, not where the old link was. */
function useFocusOnNewPage(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const seen = useRef(pathname)
  useEffect(() => {
    if (seen.current !== pathname) page.current?.focus({ preventScroll: true })
    seen.current = pathname
  }, [page, pathname])
}

function useShellActions(show: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const { cycle } = useTheme()
  const leave = useSignOut()
  useActions(shellActions, {
    'help.open': () => show('help'),
    'palette.open': () => show('palette'),
    'go.projects': () => void navigate({ to: '/' }),
    'go.profile': () => void navigate({ to: '/profile' }),
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
