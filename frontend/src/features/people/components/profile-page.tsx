import { Page, PageHeader } from '@/components/ui/page-header'
import { Select } from '@/components/ui/select'
import { SettingsSection } from '@/components/ui/settings-section'
import type { ActionSpec } from '@/lib/actions/action'
import type { LanguageName, Me, ThemeName } from '@/lib/api/contract'
import { useLanguage } from '@/lib/language/use-language'
import { useTheme } from '@/lib/theme/use-theme'
import { KeySettings } from './key-settings'
import { PasswordForm } from './password-form'
import { ProfileForm } from './profile-form'
import styles from './settings.module.css'
import { TokenSettings } from './token-settings'

export interface ProfilePageProps {
  me: Me
  /** Every verb of the annotate page and of all pages, from their registered lists. */
  actions: readonly ActionSpec[]
}

export function ProfilePage({ me, actions }: ProfilePageProps) {
  return (
    <Page>
      <PageHeader title="Your profile" lead={`Signed in as ${me.username}.`} />
      <SettingsSection title="You" note="Your name as curators see it beside your work.">
        <ProfileForm me={me} />
      </SettingsSection>
      <SettingsSection title="Look" note="Follows your system unless you choose.">
        <ThemeChoice />
      </SettingsSection>
      <SettingsSection title="Language" note="Follows your browser unless you choose. The page is loaded anew.">
        <LanguageChoice />
      </SettingsSection>
      <SettingsSection
        title="Keys"
        note="The keys of the annotate page. Press Change, then the key you want; letters count without Shift."
      >
        <KeySettings me={me} actions={actions} />
      </SettingsSection>
      <SettingsSection title="Password" note="Changing it signs you out everywhere else.">
        <PasswordForm />
      </SettingsSection>
      <SettingsSection
        title="API tokens"
        note="A token lets a program act as you. It is shown once; here only its first characters are kept."
      >
        <TokenSettings />
      </SettingsSection>
    </Page>
  )
}

const themes: { value: ThemeName; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast' },
]

function ThemeChoice() {
  const { theme, choose } = useTheme()
  return (
    <div className={styles.form}>
      <Select label="Theme" choices={themes} value={theme} onChange={choose} />
    </div>
  )
}

// Each language by its own name, so that whoever cannot read this page finds theirs.
const languages: { value: LanguageName; label: string }[] = [
  { value: 'system', label: 'As the browser' },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
]

function LanguageChoice() {
  const { choice, choose } = useLanguage()
  return (
    <div className={styles.form}>
      <Select label="Language of the site" choices={languages} value={choice} onChange={choose} />
    </div>
  )
}
