import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { ApiToken } from '@/lib/api/served'
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
      {isPending && <Skeleton label="your tokens" rows={2} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && tokens.length === 0 && (
        <p className={styles.note}>You have no tokens. Make one to use the API from a program.</p>
      )}
      <ul className={styles.entries} aria-label="Your tokens">
        {tokens.map((token) => (
          <TokenLine key={token.id} token={token} onRevoke={() => setDoomed(token)} />
        ))}
      </ul>
      <MoreButton {...pages}>Show more tokens</MoreButton>
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
          Made <RelativeTime at={token.created_at} />
          {', '}
          {token.last_used_at ? (
            <>
              used <RelativeTime at={token.last_used_at} />
            </>
          ) : (
            'never used'
          )}
          {token.expires_at && (
            <>
              {', expires '}
              <RelativeTime at={token.expires_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" variant="quiet" aria-label={`Revoke ${token.name}`} onPress={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const { mutate, isPending, error } = useRevokeToken()
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}?`}
      verb="Revoke the token"
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(token.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      Programs that use it are refused from now on. This cannot be taken back, but a new token can be made.
    </ConfirmDialog>
  )
}
