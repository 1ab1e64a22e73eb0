import { type ComponentType, useEffect, useState } from 'react'

const Nothing = () => null

/**
 * A component whose code is fetched when it is first needed, or in an idle moment before. Unlike React.lazy it does
 * not suspend, so that a drawer whose code is already here opens in the same frame as the key press.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType<Props> = Nothing,
) {
  let loaded: ComponentType<Props> | null = null
  let pending: Promise<void> | null = null

  const fetchCode = (): Promise<void> => {
    pending ??= load().then(
      (component) => {
        loaded = component
      },
      () => {
        pending = null
      },
    )
    return pending
  }

  function OnDemand(props: Props) {
    const [Component, setComponent] = useState(() => loaded)
    useEffect(() => {
      if (!Component) void fetchCode().then(() => setComponent(() => loaded))
    }, [Component])
    const Shown = Component ?? Meanwhile
    return <Shown {...props} />
  }

  return Object.assign(OnDemand, { preload: () => void fetchCode() })
}

/** Fetches the code of what will probably be opened next, once the page has nothing better to do. */
export function usePreload(pieces: readonly { preload: () => void }[]): void {
  useEffect(() => {
    const timer = setTimeout(() => pieces.forEach((piece) => piece.preload()), 600)
    return () => clearTimeout(timer)
  }, [pieces])
}
