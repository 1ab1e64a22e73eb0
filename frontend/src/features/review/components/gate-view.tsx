import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { WhatComes } from '@/components/ui/what-comes'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/review'
import { useGate, useRelease } from '../api/gate'
import { useReviewSettings } from '../api/review-settings'
import type { Waiting } from '../api/shapes'
import styles from './panels.module.css'
import type { Change } from './queue-view'

/** New annotators who wait until somebody has looked at their first tasks. */
export function GateView({ slug, onSearch }: { slug: string; onSearch: Change }) {
  const { data, error, isPending, refetch } = useGate(slug)
  const after = useReviewSettings(slug).data?.gate_after
  if (isPending) return <Skeleton label={t.gate} rows={3} />
  if (error) return <ErrorState error={error} title={t.gateNotShown} onRetry={() => void refetch()} />
  if (data.length === 0) {
    return (
      <section className={styles.view} aria-label={t.gate}>
        <WhatComes
          title={t.nobodyWaits}
          lead={nobodyWaits(after)}
          things={[
            { icon: 'stop', title: t.gateStops, words: t.gateStopsWords },
            { icon: 'search', title: t.gateLook, words: t.gateLookWords },
            { icon: 'play', title: t.release, words: t.gateReleaseWords },
          ]}
          action={
            <Button variant="primary" onPress={() => onSearch({ view: 'rules' })}>
              {t.readRules}
            </Button>
          }
        />
      </section>
    )
  }
  return (
    <section className={styles.view} aria-label={t.gate}>
      <p className={styles.lead}>{t.gateLead}</p>
      <ul className={styles.people}>
        {data.map((waiting) => (
          <Person key={waiting.annotator.id} slug={slug} waiting={waiting} onSearch={onSearch} />
        ))}
      </ul>
    </section>
  )
}

/** What the rules of this project say; nothing of it while they are not known. */
function nobodyWaits(after: number | undefined): string {
  if (after === undefined) return t.gateLead
  return after > 0 ? t.nobodyWaitsYet({ n: after }) : t.nobodyWaitsWords
}

function Person({ slug, waiting, onSearch }: { slug: string; waiting: Waiting; onSearch: Change }) {
  const { annotator, n_submitted, waiting_since, cases } = waiting
  const [text, setText] = useState('')
  const release = useRelease(slug)
  const name = annotator.display_name || annotator.username
  const send = () =>
    release.mutate(
      { person: annotator.id, text: text.trim() },
      {
        onSuccess: () => showToast(t.released({ name })),
        onError: (refusal) => showToast(asApiError(refusal).message, 'bad'),
      },
    )
  return (
    <li className={styles.person}>
      <div>
        <b dir="auto">{name}</b>
        <p className={styles.note}>
          {t.submitted({ n: n_submitted })}
          {waiting_since && (
            <>
              , {t.waitsSince} <RelativeTime at={waiting_since} />
            </>
          )}
        </p>
      </div>
      <div className={styles.tasks}>
        {cases.length === 0 && <span className={styles.note}>{t.noOpenTasks}</span>}
        {cases.map((id, at) => (
          <Button
            key={id}
            size="small"
            onPress={() => onSearch({ view: undefined, annotator: annotator.id, case: id })}
          >
            {t.firstTask({ n: at + 1 })}
          </Button>
        ))}
      </div>
      <input
        className={styles.message}
        aria-label={t.releaseNote}
        placeholder={t.releaseNote}
        dir="auto"
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button size="small" variant="primary" isPending={release.isPending} onPress={send}>
        {t.release}
      </Button>
    </li>
  )
}
