import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Autocomplete, Input, Menu, MenuItem, SearchField } from 'react-aria-components'
import { Dialog } from '@/components/ui/dialog'
import fields from '@/components/ui/field.module.css'
import { KeyCap } from '@/components/ui/key-cap'
import menus from '@/components/ui/menu.module.css'
import type { Action } from '@/lib/actions/action'
import { useLiveActions } from '@/lib/actions/action-context'
import { useProject } from '@/lib/project/get-project'
import { t } from '@/messages/shell'
import styles from './command-palette.module.css'
import { findCommands, noteRecent, readRecent } from './find-commands'
import { pagesFor } from './project-pages'

/** Every verb that makes sense right now, and every page of the project, found by letters of its name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [recent] = useState(readRecent)
  const verbs = useLiveActions().filter((action) => action.id !== 'palette.open' && (action.when?.() ?? true))
  const actions = findCommands([...verbs, ...usePageActions()], typed, recent)
  const run = (action: Action) => {
    noteRecent(action.id)
    onClose()
    action.perform()
  }
  return (
    <Dialog title={t.findCommand} isOpen onClose={onClose}>
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <SearchField aria-label={t.command} autoFocus>
          <Input className={fields.input} placeholder={t.typeVerb} />
        </SearchField>
        <Menu aria-label={t.commands} className={styles.list} renderEmptyState={() => t.noCommand}>
          {actions.map((action) => (
            <MenuItem
              key={action.id}
              id={action.id}
              className={`${menus.item ?? ''} ${styles.line ?? ''}`}
              textValue={action.name}
              onAction={() => run(action)}
            >
              <span>{action.name}</span>
              {action.keys[0] && <KeyCap keyName={action.keys[0]} />}
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  )
}

/** A verb for each page that the person has business on, of the project in the address. */
function usePageActions(): Action[] {
  const navigate = useNavigate()
  const { slug = '' } = useParams({ strict: false })
  const project = useProject(slug).data
  if (!project) return []
  return pagesFor(project).map((page) => ({
    id: `go.${page.to}`,
    name: t.goTo({ label: page.label }),
    label: page.label,
    keys: [],
    scope: 'global',
    perform: () => void navigate({ to: page.to, params: { slug } }),
  }))
}
