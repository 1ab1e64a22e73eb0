import { useObserved } from '@/lib/observed'
import { type Announcements, announcerStore } from './announcer-store'

/**
 * What `announce` says, for ears alone; toasts, which are seen as well, have a live region of their own. It is there
 * before anything is said, for a region that comes together with its words is often not read out; dialogs, which hide
 * all around them, leave it audible.
 */
export function Announcer() {
  const all = useObserved(announcerStore)
  return (
    <div className="visually-hidden" data-live-announcer="true">
      <Voice all={all} urgency="polite" />
      <Voice all={all} urgency="assertive" />
    </div>
  )
}

function Voice({ all, urgency }: { all: Announcements; urgency: keyof Announcements }) {
  return (
    <div role="log" aria-live={urgency} aria-relevant="additions" data-testid={`said-${urgency}`}>
      {all[urgency].map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
