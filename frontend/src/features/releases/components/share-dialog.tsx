import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import type { ReleaseLink } from '@/lib/api/served'
import { t } from '@/messages/releases'
import { useCloseLink, useOpenLink, usePublicLink } from '../api/link'
import styles from './share-dialog.module.css'

/** Opens and closes the page for visitors: for curators. */
export function ShareButton({ releaseId }: { releaseId: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button icon="link" onPress={() => setOpen(true)}>
        {t.publicPage}
      </Button>
      <Dialog title={t.publicPage} isOpen={isOpen} onClose={close}>
        {isOpen && <Sharing releaseId={releaseId} />}
      </Dialog>
    </>
  )
}

function Sharing({ releaseId }: { releaseId: string }) {
  const { data: link, error, refetch } = usePublicLink(releaseId)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!link) return <Skeleton label={t.publicPage} rows={2} />
  return link.is_open && link.url ? (
    <OpenPage releaseId={releaseId} url={link.url} isIndexable={link.is_indexable ?? false} />
  ) : (
    <ClosedPage releaseId={releaseId} />
  )
}

function ClosedPage({ releaseId }: { releaseId: string }) {
  const [isIndexable, setIndexable] = useState(false)
  const { mutate, isPending, error } = useOpenLink(releaseId)
  const refusal = error && asApiError(error)
  const needsConfirmation = refusal?.code === 'work_left'
  return (
    <div className={styles.form}>
      <p>{t.publicPageWhat}</p>
      <CheckField label={t.indexable} hint={t.indexableHint} isSelected={isIndexable} onChange={setIndexable} />
      {refusal && <Notice tone="bad">{refusal.message}</Notice>}
      <div>
        <Button
          variant={needsConfirmation ? 'danger' : 'primary'}
          isPending={isPending}
          onPress={() => mutate({ is_indexable: isIndexable, despite_work: needsConfirmation })}
        >
          {needsConfirmation ? t.openAnyway : t.openPage}
        </Button>
      </div>
    </div>
  )
}

interface OpenPageProps {
  releaseId: string
  url: NonNullable<ReleaseLink['url']>
  isIndexable: boolean
}

function OpenPage({ releaseId, url, isIndexable }: OpenPageProps) {
  const [isAsked, setAsked] = useState(false)
  const change = useOpenLink(releaseId)
  const close = useCloseLink(releaseId)
  return (
    <div className={styles.form}>
      <p>{t.pageIsOpen}</p>
      <p className={styles.address}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} what={t.theLink} label={t.copyLink} variant="primary" />
      </p>
      <CheckField
        label={t.indexable}
        hint={t.indexableHint}
        isSelected={isIndexable}
        onChange={(isSelected) => change.mutate({ is_indexable: isSelected, despite_work: true })}
      />
      {change.error && <Notice tone="bad">{asApiError(change.error).message}</Notice>}
      <div>
        <Button onPress={() => setAsked(true)}>{t.closePage}</Button>
      </div>
      <ConfirmDialog
        title={t.closeQuestion}
        verb={t.closePage}
        isOpen={isAsked}
        isPending={close.isPending}
        error={close.error}
        onConfirm={() => close.mutate(undefined, { onSuccess: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        {t.closeConsequence}
      </ConfirmDialog>
    </div>
  )
}
