import { CopyButton } from '@/components/ui/copy-button'
import { Tabs } from '@/components/ui/tabs'
import type { PublicRelease } from '@/lib/api/served'
import { t } from '@/messages/releases'
import { snippetsOf } from '../snippets'
import styles from './use-it.module.css'

/** Three lines of code for each tool that reads the release. */
export function LoadIt({ release }: { release: PublicRelease }) {
  return (
    <section className={styles.section} aria-labelledby="load-it">
      <h2 id="load-it" className={styles.title}>
        {t.loadIt}
      </h2>
      <Tabs
        label={t.loadIt}
        tabs={snippetsOf(release).map(({ id, label, code, note }) => ({
          id,
          label,
          content: <Code code={code} what={t.theCode} note={note} />,
        }))}
      />
    </section>
  )
}

/** How to name the dataset in a paper. */
export function CiteIt({ release: { citation } }: { release: PublicRelease }) {
  return (
    <section className={styles.section} aria-labelledby="cite-it">
      <h2 id="cite-it" className={styles.title}>
        {t.citeIt}
      </h2>
      <Tabs
        label={t.citeIt}
        tabs={[
          { id: 'bibtex', label: 'BibTeX', content: <Code code={citation.bibtex} what={t.theCitation} /> },
          { id: 'cff', label: 'CITATION.cff', content: <Code code={citation.cff} what={t.theCitation} /> },
        ]}
      />
    </section>
  )
}

function Code({ code, what, note = '' }: { code: string; what: string; note?: string }) {
  return (
    <div className={styles.block}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll by keyboard, too. */}
      <pre className={styles.code} tabIndex={0} role="group" aria-label={what} dir="ltr">
        {code.trimEnd()}
      </pre>
      <div className={styles.foot}>
        <CopyButton text={code} what={what} />
        {note && <span className={styles.note}>{note}</span>}
      </div>
    </div>
  )
}
