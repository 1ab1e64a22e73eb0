import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react'
import { useObserved } from '@/lib/observed'
import { useMe } from '@/lib/session/get-session'
import { type Action, type ActionSpec, withPreferredKeys } from './action'
import { ActionRegistry } from './registry'

export const ActionContext = createContext<ActionRegistry>(new ActionRegistry())

export function useActionRegistry(): ActionRegistry {
  return use(ActionContext)
}

const noKeys: Record<string, string> = {}

export interface Handler {
  when?: () => boolean
  perform: () => void
}

/** What each action of a constant list of specs does on this page. */
export type Handlers<Specs extends readonly ActionSpec[]> = Record<Specs[number]['id'], Handler | (() => void)>

const asHandler = (handler: Handler | (() => void)): Handler =>
  typeof handler === 'function' ? { perform: handler } : handler

/**
 * Puts actions on the screen, with the person's own keys, for as long as the component is there.
 * `specs` must be a module constant. The newest handlers are always the ones performed.
 */
export function useActions<const Specs extends readonly ActionSpec[]>(specs: Specs, handlers: Handlers<Specs>): void {
  const registry = useActionRegistry()
  const preferred = useMe()?.preferences.keys ?? noKeys
  const latest = useRef<Record<string, Handler | (() => void)>>(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(
    () => registry.register(withPreferredKeys(bind(specs, latest), preferred)),
    [registry, specs, preferred],
  )
}

function bind(specs: readonly ActionSpec[], latest: { current: Record<string, Handler | (() => void)> }): Action[] {
  const newest = (id: string) => {
    const handler = latest.current[id]
    return handler && asHandler(handler)
  }
  return specs.map((spec) => ({
    ...spec,
    when: () => newest(spec.id)?.when?.() ?? true,
    perform: () => newest(spec.id)?.perform(),
  }))
}

/** Every action alive on the screen, for the help sheet and the palette. */
export function useLiveActions(): readonly Action[] {
  return useObserved(useActionRegistry())
}

/** One live action by its name, or undefined while its page is not open. */
export function useAction(id: string): Action | undefined {
  return useLiveActions().find((action) => action.id === id)
}

/** Keeps the page's keys quiet while a modal is open. */
export function useSuspendedActions(isOpen: boolean): void {
  const registry = useActionRegistry()
  useEffect(() => (isOpen ? registry.suspend() : undefined), [registry, isOpen])
}
