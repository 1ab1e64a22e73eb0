import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { ApiToken } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/people'
import { useTokens } from '../api/get-tokens'
import { useRevokeToken } from '../api/revoke-token'
import styles from './settings.module.css'
import { TokenForm } from './token-form'

export function TokenSettings() {
  const { data, error, isPending, refetch, ...pages } = useTokens()
  const [doomed, setDoomed] = useState<ApiToken | null>(null)
  const tokens = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <>
      <TokenForm />
      {isPending && <Skeleton label={t.yourTokens} rows={2} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && tokens.length === 0 && <p className={styles.note}>{t.noTokens}</p>}
      <ul className={styles.entries} aria-label={t.yourTokensTitle}>
        {tokens.map((token) => (
          <TokenLine key={token.id} token={token} onRevoke={() => setDoomed(token)} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.moreTokens}</MoreButton>
      {doomed && <RevokeDialog token={doomed} onClose={() => setDoomed(null)} />}
    </>
  )
}

function TokenLine({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  return (
    <li className={styles.entry}>
      <div>
        <p className={styles.entryName}>
          {token.name} <code className={styles.code}>{token.prefix}…</code>
        </p>
        <p className={styles.note}>
          <Sentence of={t.made} parts={{ when: <RelativeTime at={token.created_at} /> }} />
          {', '}
          {token.last_used_at ? (
            <Sentence of={t.used} parts={{ when: <RelativeTime at={token.last_used_at} /> }} />
          ) : (
            t.neverUsed
          )}
          {token.is_read_only && `, ${token.is_for_releases ? t.onlyReadsReleases : t.onlyReads}`}
          {token.project && `, ${t.onlyProject({ slug: token.project })}`}
          {token.expires_at && ', '}
          {token.expires_at && <Sentence of={t.expires} parts={{ when: <RelativeTime at={token.expires_at} /> }} />}
        </p>
      </div>
      <Button size="small" variant="quiet" aria-label={t.revokeName({ name: token.name })} onPress={onRevoke}>
        {t.revoke}
      </Button>
    </li>
  )
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const { mutate, isPending, error } = useRevokeToken()
  return (
    <ConfirmDialog
      title={t.revokeQuestion({ name: token.name })}
      verb={t.revokeToken}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(token.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t.revokeConsequence}
    </ConfirmDialog>
  )
}
