import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { EmptyState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { type PageOfActions, withPreferredKeys } from '@/lib/actions/action'
import { findKeys } from '@/lib/actions/find-keys'
import { keyCap } from '@/lib/actions/keys'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/help'
import { type Entry, findEntries, glossary, guides } from '../state/entries'
import styles from './help-page.module.css'

/** Short guides, the words of the interface and every key by its page, with one search over all of it. */
export function HelpPage({ pages }: { pages: readonly PageOfActions[] }) {
  const [sought, setSought] = useState('')
  const own = useMe()?.preferences.keys ?? {}
  const withKeys = pages.map(({ page, actions }) => ({
    page,
    actions: withPreferredKeys(actions, own).filter(({ keys }) => keys.length > 0),
  }))
  const found = {
    guides: findEntries(guides, sought),
    words: findEntries(glossary, sought),
    keys: findKeys(withKeys, sought),
  }
  const isNothing = Object.values(found).every((part) => part.length === 0)
  return (
    <Page>
      <PageHeader
        title={t.help}
        lead={t.lead}
        actions={
          <>
            <LinkButton to="/profile" search={{ tab: 'tokens' }}>
              {t.tokens}
            </LinkButton>
            <a href="/api/docs" className={styles.docs}>
              {t.apiDocs}
            </a>
          </>
        }
      />
      <div className={styles.tools}>
        <div className={styles.search}>
          <TextField label={t.find} type="search" value={sought} onChange={setSought} />
        </div>
        <nav aria-label={t.sections} className={styles.sections}>
          {found.guides.length > 0 && <a href="#guides">{t.guides}</a>}
          {found.words.length > 0 && <a href="#words">{t.glossary}</a>}
          {found.keys.length > 0 && <a href="#keys">{t.keys}</a>}
        </nav>
      </div>
      {isNothing && (
        <EmptyState title={t.nothing} icon="search">
          {t.nothingHint}
        </EmptyState>
      )}
      {found.guides.length > 0 && <Guides entries={found.guides} />}
      {found.words.length > 0 && <Words entries={found.words} />}
      {found.keys.length > 0 && <Keys pages={found.keys} />}
    </Page>
  )
}

function Guides({ entries }: { entries: readonly Entry[] }) {
  return (
    <section id="guides" className={styles.part} aria-labelledby="guides-title">
      <h2 id="guides-title">{t.guides}</h2>
      <div className={styles.guides}>
        {entries.map(({ title, lines }) => (
          <article key={title}>
            <h3>{title}</h3>
            <ul className={styles.lines}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  )
}

function Words({ entries }: { entries: readonly Entry[] }) {
  return (
    <section id="words" className={styles.part} aria-labelledby="words-title">
      <h2 id="words-title">{t.glossary}</h2>
      <dl className={styles.words}>
        {entries.map(({ title, lines }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{lines.join(' ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Keys({ pages }: { pages: readonly PageOfActions[] }) {
  return (
    <section id="keys" className={styles.part} aria-labelledby="keys-title">
      <h2 id="keys-title">{t.keys}</h2>
      <p className={styles.note}>
        {t.keysNote}{' '}
        <Link to="/profile" search={{ tab: 'keys' }}>
          {t.changeKeys}
        </Link>
      </p>
      <div className={styles.keyPages}>
        {pages.map(({ page, actions }) => (
          <section key={page} className={styles.keyPage}>
            <h3>{page}</h3>
            <dl>
              {actions.map(({ id, name, keys }) => (
                <div key={id} className={styles.key}>
                  <dt>{name}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{keyCap(key)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  )
}
