import { IconButton } from '@/components/ui/button'
import type { IconName } from '@/components/ui/icon'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { ThemeName } from '@/lib/api/contract'
import { onDemand } from '@/lib/on-demand'
import { useTheme } from '@/lib/theme/use-theme'
import { t } from '@/messages/shell'
import styles from './shell.module.css'

const UserMenu = onDemand(() => import('./user-menu').then((module) => module.UserMenu))

/** What every page has at hand: the theme, the shortcuts, the person's own menu. */
export function Tools() {
  return (
    <>
      <ThemeToggle />
      <ActionIcon id="help.open" icon="question" />
      <span className={styles.menuSpace}>
        <UserMenu />
      </span>
    </>
  )
}

const themeIcons: Record<ThemeName, IconName> = { system: 'system', light: 'sun', dark: 'moon', contrast: 'contrast' }
const themeWords: Record<ThemeName, string> = {
  system: t.themeSystem,
  light: t.themeLight,
  dark: t.themeDark,
  contrast: t.themeContrast,
}

function ThemeToggle() {
  const { theme, next, cycle } = useTheme()
  const words = t.themeIs({ theme: themeWords[theme], next: themeWords[next] })
  return <IconButton icon={themeIcons[theme]} aria-label={words} onPress={cycle} />
}

function ActionIcon({ id, icon }: { id: string; icon: IconName }) {
  const action = useAction(id)
  if (!action) return null
  return (
    <IconButton
      icon={icon}
      aria-label={action.name}
      keyShortcuts={ariaShortcuts(action.keys)}
      tipKey={action.keys[0]}
      onPress={() => action.perform()}
      className={styles.helpButton ?? ''}
    />
  )
}
