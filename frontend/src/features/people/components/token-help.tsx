import { CopyButton } from '@/components/ui/copy-button'
import { t } from '@/messages/people'
import styles from './settings.module.css'

const terminal = (origin: string) =>
  ['curl --header "Authorization: Bearer YOUR_TOKEN" \\', `  ${origin}/api/v1/projects`].join('\n')
const python = (origin: string) =>
  [
    'from connote_client import Client',
    '',
    `client = Client("${origin}", token="YOUR_TOKEN")`,
    'release = client.project("PROJECT").release("LABEL")',
  ].join('\n')

/** How a program sends a token, to be copied. */
export function TokenUse() {
  const { origin } = globalThis.location
  const snippets = [
    { title: t.inTerminal, code: terminal(origin) },
    { title: t.inPython, code: python(origin) },
  ]
  return (
    <>
      {snippets.map(({ title, code }) => (
        <div key={title} className={styles.snippet}>
          <div className={styles.snippetHead}>
            <h3>{title}</h3>
            <CopyButton text={code} what={`${t.theSnippet}: ${title}`} />
          </div>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too. */}
          <pre role="group" aria-label={title} tabIndex={0}>
            <code>{code}</code>
          </pre>
        </div>
      ))}
      <p>
        <a href="/api/docs">{t.openApiDocs}</a>
      </p>
    </>
  )
}

export function TokenSafety() {
  return (
    <ul className={styles.safety}>
      <li>{t.safeShort}</li>
      <li>{t.safeOne}</li>
      <li>{t.safeLeak}</li>
    </ul>
  )
}
