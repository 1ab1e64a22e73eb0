import type { SVGProps } from 'react'

/** Line icons on a 20-unit grid; always decoration beside words or an aria-label. */
const paths = {
  check: 'M4 10.5l4 4 8-9',
  cross: 'M5 5l10 10M15 5L5 15',
  question: 'M7 7.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M10 15.2v.1',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4 4l1 1M15 15l1 1M16 4l-1 1M5 15l-1 1',
  moon: 'M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z',
  contrast: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 2.5v15',
  system: 'M3 4h14v9H3zM7 16.5h6M10 13v3.5',
  chevronDown: 'M5 7.5l5 5 5-5',
  chevronUp: 'M5 12.5l5-5 5 5',
  chevronLeft: 'M12.5 5l-5 5 5 5',
  chevronRight: 'M7.5 5l5 5-5 5',
  undo: 'M7.5 4.5L4 8l3.5 3.5M4.5 8h7a4 4 0 0 1 0 8H9',
  book: 'M10 5q-2-1.5-6.5-1.5v12q4.5 0 6.5 1.5 2-1.5 6.5-1.5v-12q-4.5 0-6.5 1.5zM10 5v12',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  expand: 'M12 3.5h4.5V8M8 16.5H3.5V12M16.5 3.5l-5 5M3.5 16.5l5-5',
  fit: 'M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4',
  person: 'M10 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 17c.4-3.5 3-5 6-5s5.6 1.5 6 5',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4',
  alert: 'M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.1',
  download: 'M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13',
  image: 'M3 4h14v12H3zM3 13l4-4 3.5 3.5L13 10l4 4M12.5 7.4v.1',
  play: 'M6.5 4l9 6-9 6z',
  stop: 'M5 5h10v10H5z',
  pause: 'M7 4.5v11M13 4.5v11',
  message: 'M3 4h14v9.5H9.5L6 16.5v-3H3z',
  link: 'M8.5 11.5l3-3M9 6.5l2-2a3.2 3.2 0 0 1 4.5 4.5l-2 2M11 13.5l-2 2A3.2 3.2 0 0 1 4.5 11l2-2',
  copy: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
  upload: 'M10 13V3.5M6 7.2l4-4 4 4M3.5 16.5h13',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  sidebar: 'M3 4h14v12H3zM8 4v12',
} as const

export type IconName = keyof typeof paths

/** Those that point along the line of reading: styles/base.css mirrors them where it runs from right to left. */
const directional: ReadonlySet<IconName> = new Set(['chevronLeft', 'chevronRight', 'undo'])

export interface IconProps extends SVGProps<SVGSVGElement> {
  name: IconName
  size?: number
}

export function Icon({ name, ...rest }: IconProps) {
  return <PathIcon data-directional={directional.has(name) || undefined} {...rest} path={paths[name]} />
}

/** One more icon of the same look, for code that is loaded with what it stands on. */
export function PathIcon({ path, size = 18, ...rest }: SVGProps<SVGSVGElement> & { path: string; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  )
}
