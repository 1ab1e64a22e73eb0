import ReactMarkdown from 'react-markdown'
import styles from './markdown.module.css'

/** Markdown written by curators. HTML inside it is dropped, never rendered, and unsafe addresses lose their link. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className={styles.prose}>
      <ReactMarkdown skipHtml>{children}</ReactMarkdown>
    </div>
  )
}
