import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Overview } from '@/lib/api/served'
import { formatCount, formatShare, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import { nameOf } from '../state/words'

type Person = Overview['people'][number]

const statusNames = { active: t.active, warned: t.warned, paused: t.paused, excluded: t.excluded } as const

/** Who did how much, and how well on test questions. */
export function PeopleBars({ slug, overview: { people, n_people: all } }: { slug: string; overview: Overview }) {
  const { buildLocation } = useRouter()
  const addresses = useMemo(
    () =>
      new Map(
        people.map(({ user: { id } }) => [
          id,
          buildLocation({
            to: '/projects/$slug/quality/annotators/$annotatorId',
            params: { slug, annotatorId: String(id) },
          }).href,
        ]),
      ),
    [people, slug, buildLocation],
  )
  const spec = useMemo(() => specOf(people, addresses), [people, addresses])
  if (people.length === 0) return <Later title={t.noPeople}>{t.noPeopleHint}</Later>
  return (
    <Chart<Person>
      title={t.people}
      spec={spec}
      hasLinks
      table={{
        columns: [
          { title: t.person, value: ({ user }) => nameOf(user), href: ({ user }) => addresses.get(user.id) ?? null },
          { title: t.status, value: ({ state }) => statusNames[state] },
          { title: t.answers, value: ({ judgments }) => judgments, format: formatCount },
          { title: t.tasks, value: ({ hits }) => hits, format: formatCount },
          { title: t.tasksToday, value: ({ hits_today: n }) => n, format: formatCount },
          { title: t.correct, value: ({ passed }) => passed?.share ?? null, format: formatShare },
          { title: t.low, value: ({ passed }) => passed?.low ?? null, format: formatShare },
          { title: t.high, value: ({ passed }) => passed?.high ?? null, format: formatShare },
          { title: t.withMost, value: ({ agreement }) => agreement?.share ?? null, format: formatShare },
        ],
        rows: people,
      }}
      n={t.peopleN({ n: all })}
      how={all > people.length ? t.howPeopleMost({ n: people.length }) : t.howPeople}
    />
  )
}

function specOf(people: readonly Person[], addresses: ReadonlyMap<number, string>): ChartSpec {
  const rows = people.map((person) => ({
    ...person,
    id: String(person.user.id),
    href: addresses.get(person.user.id),
    said: [
      formatCount(person.judgments),
      person.passed && formatWholeShare(person.passed.share),
      person.state !== 'active' && statusNames[person.state],
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  const names = new Map(rows.map(({ id, user }) => [id, nameOf(user)]))
  // Names often differ in their last letters.
  const clip = (name: string): string => (name.length > 20 ? `${name.slice(0, 11)}…${name.slice(-8)}` : name)
  return (plot, width) => ({
    width,
    height: 12 + 26 * rows.length,
    marginLeft: Math.min(150, width / 3),
    marginRight: 140,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null, domain: [0, Math.max(1, ...rows.map(({ judgments }) => judgments))] },
    y: {
      domain: rows.map(({ id }) => id),
      label: null,
      tickSize: 0,
      tickFormat: (id: string) => clip(names.get(id) ?? id),
    },
    marks: [
      plot.barX(rows, {
        y: 'id',
        x: 'judgments',
        href: 'href',
        fill: ({ state }: Person) => (state === 'active' || state === 'warned' ? 'var(--curve-1)' : 'var(--map-none)'),
        insetTop: 3,
        insetBottom: 3,
        ariaLabel: ({ user, said }: (typeof rows)[number]) => `${nameOf(user)}: ${said}`,
      }),
      plot.text(rows, { y: 'id', x: 'judgments', text: 'said', textAnchor: 'start', dx: 6 }),
    ],
  })
}
