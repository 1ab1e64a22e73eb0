import ReactMarkdown, { type Components } from 'react-markdown'
import styles from './markdown.module.css'

// The page has its one heading of the first level; what curators write stands below it.
const oneLevelDown: Components = {
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
}

/** Markdown written by curators. HTML inside it is dropped, never rendered, and unsafe addresses lose their link. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className={styles.prose} dir="auto">
      <ReactMarkdown skipHtml components={oneLevelDown}>
        {children}
      </ReactMarkdown>
    </div>
  )
}
