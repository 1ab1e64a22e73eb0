import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { SettingsSection } from '@/components/ui/settings-section'
import { asApiError } from '@/lib/api/api-error'
import type { Survey } from '@/lib/api/served'
import { t } from '@/messages/surveys'
import { useMakeLinks, useRenewLink } from '../api/surveys'
import styles from './surveys.module.css'

/** The link for all, and links for one participant each. */
export function LinksTab({ slug, survey }: { slug: string; survey: Survey }) {
  return (
    <>
      <SettingsSection title={t.linkForAll} note={t.linkForAllNote}>
        {survey.url === null ? <p>{t.noLinkForAll}</p> : <LinkForAll slug={slug} survey={survey} url={survey.url} />}
      </SettingsSection>
      <SettingsSection title={t.singleUse} note={t.singleUseNote}>
        <p>{t.linksUsed({ n: survey.n_links, used: survey.n_links_used })}</p>
        {survey.state === 'open' && <SingleUse slug={slug} survey={survey} />}
      </SettingsSection>
    </>
  )
}

function LinkForAll({ slug, survey, url }: { slug: string; survey: Survey; url: string }) {
  const [isAsked, setAsked] = useState(false)
  const { mutate, isPending, error } = useRenewLink(slug, survey.id)
  const close = () => setAsked(false)
  return (
    <>
      <p className={styles.secret}>
        <code className={styles.code}>{url}</code>
        <CopyButton text={url} what={t.theLink} label={t.copyLink} variant="primary" />
      </p>
      <div>
        <Button size="small" onPress={() => setAsked(true)}>
          {t.renewLink}
        </Button>
      </div>
      <ConfirmDialog
        title={t.renewQuestion}
        verb={t.renewLink}
        isOpen={isAsked}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        {t.renewConsequence}
      </ConfirmDialog>
    </>
  )
}

function SingleUse({ slug, survey }: { slug: string; survey: Survey }) {
  const [n, setN] = useState(10)
  const { mutate, isPending, error, data } = useMakeLinks(slug, survey.id)
  const urls = data?.urls.join('\n')
  return (
    <>
      <NumberField
        label={t.howManyLinks}
        minValue={1}
        maxValue={1000}
        value={n}
        onChange={(value) => setN(Number.isNaN(value) ? 1 : value)}
      />
      <div>
        <Button isPending={isPending} onPress={() => mutate(n)}>
          {t.makeLinks}
        </Button>
      </div>
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      {urls !== undefined && (
        <>
          <p>{t.linksOnce}</p>
          <pre className={styles.code}>{urls}</pre>
          <CopyButton text={urls} what={t.theLinks} label={t.copyLinks} variant="primary" />
        </>
      )}
    </>
  )
}
