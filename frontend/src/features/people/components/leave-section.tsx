import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DownloadLink } from '@/components/ui/download-link'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/people'
import { useEraseMe } from '../api/erase-account'
import styles from './settings.module.css'

/** One's own data to keep, and the way out. */
export function LeaveSection({ onErased }: { onErased: () => void }) {
  const [isErasing, setErasing] = useState(false)
  return (
    <div className={styles.form}>
      <p>
        <DownloadLink href="/api/v1/me/export">{t.downloadMyData}</DownloadLink>
      </p>
      <div>
        <Button variant="danger" onPress={() => setErasing(true)}>
          {t.eraseMyAccount}
        </Button>
      </div>
      {isErasing && <EraseMeDialog onClose={() => setErasing(false)} onErased={onErased} />}
    </div>
  )
}

function EraseMeDialog({ onClose, onErased }: { onClose: () => void; onErased: () => void }) {
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useEraseMe()
  const fields = error ? asApiError(error).fieldErrors() : {}
  return (
    <ConfirmDialog
      title={t.eraseMyAccountQuestion}
      verb={t.eraseForGood}
      isOpen
      isPending={isPending}
      isDisabled={!password}
      error={fields.password ? null : error}
      onConfirm={() => mutate(password, { onSuccess: onErased })}
      onClose={onClose}
    >
      <div className={styles.dialog}>
        <p>{t.eraseConsequence}</p>
        <TextField
          label={t.currentPassword}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
      </div>
    </ConfirmDialog>
  )
}
