import { useState } from 'react'
import { t } from '@/messages/common'
import { Button } from './button'
import { showToast } from './toast-store'

export interface CopyButtonProps {
  text: string
  /** What is copied, for the button's name: "the link". */
  what: string
  label?: string
  /** `primary` where copying is the one thing to do. */
  variant?: 'quiet' | 'primary'
}

/** Puts a text on the clipboard and says so in the button itself. */
export function CopyButton({ text, what, label = t.copy, variant = 'quiet' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => showToast(t.noCopying, 'bad'),
    )
  }
  return (
    <Button
      size="small"
      variant={variant}
      icon={isCopied ? 'check' : 'copy'}
      aria-label={t.copyWhat({ what })}
      onPress={copy}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? t.copied : label}
    </Button>
  )
}
