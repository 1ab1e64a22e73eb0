import { Page, PageHeader } from '@/components/ui/page-header'
import { Select } from '@/components/ui/select'
import { SettingsSection } from '@/components/ui/settings-section'
import { Tabs } from '@/components/ui/tabs'
import type { PageOfActions } from '@/lib/actions/action'
import type { LanguageName, Me, ThemeName } from '@/lib/api/contract'
import { useLanguage } from '@/lib/language/use-language'
import { useUpdatePreferences } from '@/lib/session/update-preferences'
import { useTheme } from '@/lib/theme/use-theme'
import { t } from '@/messages/people'
import { KeySettings } from './key-settings'
import { LeaveSection } from './leave-section'
import { PasswordForm } from './password-form'
import { ProfileForm } from './profile-form'
import styles from './settings.module.css'
import { TokenSafety, TokenUse } from './token-help'
import { TokenSettings } from './token-settings'

export const profileTabs = ['tokens', 'account', 'look', 'keys'] as const
export type ProfileTab = (typeof profileTabs)[number]

export interface ProfilePageProps {
  me: Me
  /** Every verb of every page, from their registered lists. */
  pages: readonly PageOfActions[]
  tab: ProfileTab
  onTab: (tab: ProfileTab) => void
  onErased: () => void
}

/** What a person sets for themselves, on every project; the open tab stands in the address. */
export function ProfilePage({ me, pages, tab, onTab, onErased }: ProfilePageProps) {
  return (
    <Page>
      <PageHeader title={t.yourProfile} lead={t.signedInAs({ username: me.username })} />
      <Tabs
        label={t.yourProfile}
        open={tab}
        onOpen={(id) => onTab(profileTabs.find((each) => each === id) ?? 'tokens')}
        tabs={[
          {
            id: 'tokens',
            label: t.apiTokens,
            content: (
              <>
                <SettingsSection title={t.apiTokens} note={t.tokensNote}>
                  <TokenSettings />
                </SettingsSection>
                <SettingsSection title={t.useTokens} note={t.useTokensNote}>
                  <TokenUse />
                </SettingsSection>
                <SettingsSection title={t.safeTokens} note={t.safeTokensNote}>
                  <TokenSafety />
                </SettingsSection>
              </>
            ),
          },
          { id: 'account', label: t.account, content: <AccountTab me={me} onErased={onErased} /> },
          { id: 'look', label: t.lookAndLanguage, content: <LookTab me={me} /> },
          {
            id: 'keys',
            label: t.keys,
            content: (
              <SettingsSection title={t.keys} note={t.keysNote}>
                <KeySettings me={me} pages={pages} />
              </SettingsSection>
            ),
          },
        ]}
      />
    </Page>
  )
}

function AccountTab({ me, onErased }: Pick<ProfilePageProps, 'me' | 'onErased'>) {
  return (
    <>
      <SettingsSection title={t.you} note={t.youNote}>
        <ProfileForm me={me} />
      </SettingsSection>
      <SettingsSection title={t.password} note={t.passwordNote}>
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title={t.yourData} note={t.yourDataNote}>
        <LeaveSection onErased={onErased} />
      </SettingsSection>
    </>
  )
}

function LookTab({ me }: { me: Me }) {
  return (
    <>
      <SettingsSection title={t.look} note={t.lookNote}>
        <ThemeChoice />
      </SettingsSection>
      <SettingsSection title={t.languageTitle} note={t.languageNote}>
        <LanguageChoice />
      </SettingsSection>
      <SettingsSection title={t.breaks} note={t.breaksNote}>
        <BreakChoice me={me} />
      </SettingsSection>
    </>
  )
}

const themes: { value: ThemeName; label: string }[] = [
  { value: 'system', label: t.asSystem },
  { value: 'light', label: t.light },
  { value: 'dark', label: t.dark },
  { value: 'contrast', label: t.highContrast },
]

function ThemeChoice() {
  const { theme, choose } = useTheme()
  return (
    <div className={styles.form}>
      <Select label={t.theme} choices={themes} value={theme} onChange={choose} />
    </div>
  )
}

// Each language by its own name, so that whoever cannot read this page finds theirs.
const languages: { value: LanguageName; label: string }[] = [
  { value: 'system', label: t.asBrowser },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
]

function LanguageChoice() {
  const { choice, choose } = useLanguage()
  return (
    <div className={styles.form}>
      <Select label={t.siteLanguage} choices={languages} value={choice} onChange={choose} />
    </div>
  )
}

const breaks = ([25, 50, 90, 0] as const).map((n) => ({
  n,
  value: String(n),
  label: n === 0 ? t.breakNever : t.breakMinutes({ n }),
}))

function BreakChoice({ me }: { me: Me }) {
  const { mutate } = useUpdatePreferences()
  const choose = (value: string) => {
    const found = breaks.find((each) => each.value === value)
    if (found) mutate({ ...me.preferences, break_minutes: found.n })
  }
  return (
    <div className={styles.form}>
      <Select label={t.breakAfter} choices={breaks} value={String(me.preferences.break_minutes)} onChange={choose} />
    </div>
  )
}
