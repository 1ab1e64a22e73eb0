import { LinkButton } from '@/components/ui/link-button'
import { SettingsSection } from '@/components/ui/settings-section'
import { t } from '@/messages/history'

/** The way from the settings to what was changed in them. */
export function HistorySection({ slug }: { slug: string }) {
  return (
    <SettingsSection title={t.history} note={t.settingsNote}>
      <div>
        <LinkButton to="/projects/$slug/history" params={{ slug }}>
          {t.openHistory}
        </LinkButton>
      </div>
    </SettingsSection>
  )
}
