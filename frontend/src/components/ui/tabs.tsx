import { type ReactNode, useRef } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { useOpenInView } from '@/lib/layout/use-open-in-view'
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
  const list = useRef<HTMLDivElement>(null)
  useOpenInView(list, open)
  return (
    <AriaTabs {...(open !== undefined && { selectedKey: open })} onSelectionChange={(key) => onOpen?.(String(key))}>
      <TabList ref={list} aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab}>
            {tab.label}
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
