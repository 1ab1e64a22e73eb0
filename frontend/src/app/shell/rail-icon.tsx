import { PathIcon } from '@/components/ui/icon'
import type { NavEntry } from './project-pages'

/** The signs of the navigation, on the 20-unit grid of the other icons. */
const paths = {
  overview: 'M3.5 3.5H9V9H3.5zM11.5 3.5h5V7h-5zM11.5 9.5h5v7h-5zM3.5 11.5H9v5H3.5z',
  data: 'M10 3l7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5L10 17l7-3.5',
  judging: 'M3 5l1.5 1.5L7 4M3 10.5L4.5 12 7 9.5M3 16h4M10 5.5h7M10 10.8h7M10 16h7',
  release: 'M10 2.8l6.5 3.4v7.6L10 17.2l-6.5-3.4V6.2zM3.7 6.3L10 9.7l6.3-3.4M10 9.7v7.3',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6v4.2l2.8 1.8',
  inbox: 'M3.5 11.5l2.2-7h8.6l2.2 7v5h-13zM3.5 11.5h3.8l1 2h3.4l1-2h3.8',
  person: 'M10 3a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 0 0 10 3M3.8 17c.4-3.4 2.9-5.2 6.2-5.2s5.8 1.8 6.2 5.2',
  book: 'M10 5c-1.6-1.1-3.8-1.5-6.5-1.5v12c2.7 0 4.9.4 6.5 1.5 1.6-1.1 3.8-1.5 6.5-1.5v-12c-2.7 0-4.9.4-6.5 1.5zM10 5v12',
  code: 'M7 5.5L2.5 10 7 14.5M13 5.5l4.5 4.5-4.5 4.5',
} as const

export type RailIconName = keyof typeof paths

export function RailIcon({ name }: { name: RailIconName }) {
  return <PathIcon path={paths[name]} />
}

const ofPages: Partial<Record<NavEntry['id'], RailIconName>> = {
  '/projects/$slug/annotate': 'judging',
  '/projects/$slug/past-work': 'clock',
  '/projects/$slug/inbox': 'inbox',
  '/projects/$slug/releases': 'release',
}

/** The sign of a group, or of a page that stands for itself. */
export const iconOf = ({ id, pages }: NavEntry): RailIconName => ofPages[id] ?? pages[0].group
