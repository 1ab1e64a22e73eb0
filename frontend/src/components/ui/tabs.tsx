import { type ReactNode, useEffect, useRef } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { bringIntoLine } from '@/lib/layout/use-open-in-view'
import styles from './tabs.module.css'

export interface TabEntry {
  id: string
  label: string
  content: ReactNode
}

export interface TabsProps {
  label: string
  tabs: readonly TabEntry[]
  /** Which one is open, and what opens another; left out, the tabs remember it themselves. */
  open?: string
  onOpen?: (id: string) => void
}

export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  return (
    <AriaTabs {...(open !== undefined && { selectedKey: open })} onSelectionChange={(key) => onOpen?.(String(key))}>
      <TabList aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab}>
            {({ isSelected }) => <TabWords label={tab.label} isOpen={isSelected} />}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel}>
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

/** The tabs exist only after the first effects of the list, so each one brings itself into sight. */
function TabWords({ label, isOpen }: { label: string; isOpen: boolean }) {
  const words = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isOpen) bringIntoLine(words.current?.closest<HTMLElement>('[role=tablist]') ?? null, words.current)
  }, [isOpen])
  return <span ref={words}>{label}</span>
}
