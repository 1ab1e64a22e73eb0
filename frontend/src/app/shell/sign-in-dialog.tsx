import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { type Credentials, signIn } from '@/features/people/api/sign-in'
import { SignInFields } from '@/features/people/components/sign-in-fields'
import { asApiError } from '@/lib/api/api-error'
import type { Session } from '@/lib/api/contract'
import { t } from '@/messages/people'
import styles from './sign-in-dialog.module.css'

export interface SignInDialogProps {
  /** Who worked here. */
  username: string
  /** What is done first, once. */
  onOpen: () => Promise<void>
  onSignedIn: (session: Session) => void
  onClose: () => void
}

const formId = 'sign-in-again'

/** Signs in without leaving the page. */
export function SignInDialog({ username: known, onOpen, onSignedIn, onClose }: SignInDialogProps) {
  const [credentials, setCredentials] = useState<Credentials>({ username: known, password: '' })
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn, onSuccess: onSignedIn })
  const first = useRef(onOpen)
  useEffect(() => void first.current().catch(() => undefined), [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(credentials)
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={formId} variant="primary" isPending={isPending}>
        {t.signIn}
      </Button>
    </>
  )
  return (
    <Dialog title={t.signInAgain} isOpen onClose={onClose} footer={footer}>
      <form id={formId} className={styles.form} onSubmit={submit}>
        <p>{t.sessionEnded}</p>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <SignInFields value={credentials} isKnown onChange={setCredentials} />
      </form>
    </Dialog>
  )
}
