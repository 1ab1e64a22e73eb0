import type { Delivery, DeliveryTry, Webhook, WebhookEvent } from '@/lib/api/served'
import { t } from '@/messages/webhooks'

export const eventNames: Readonly<Record<WebhookEvent, string>> = {
  'run.finished': t.runFinished,
  'run.failed': t.runFailed,
  'release.created': t.releaseCreated,
  'release.withdrawn': t.releaseWithdrawn,
  'export.ready': t.exportReady,
  'assignments.milestone': t.assignmentsMilestone,
}

export const allEvents = Object.keys(eventNames) as WebhookEvent[]

/** The name of what a message tells; a test is no event that one can choose. */
export const eventName = (event: string): string => (event in eventNames ? eventNames[event as WebhookEvent] : t.test)

export const stateNames: Readonly<Record<Delivery['state'], string>> = {
  pending: t.pending,
  delivered: t.delivered,
  failed: t.failed,
  cancelled: t.cancelled,
}

const errorNames: Readonly<Record<Exclude<DeliveryTry['error'], '' | 'status'>, string>> = {
  redirected: t.redirected,
  not_public: t.notPublic,
  unknown_host: t.unknownHost,
  no_connection: t.noConnection,
  bad_certificate: t.badCertificate,
  timed_out: t.timedOut,
  bad_answer: t.badAnswer,
}

/** What one try came to, in a few words. */
export function tryInWords({ status, error }: DeliveryTry): string {
  if (error === '' || error === 'status') return t.answered({ status: String(status) })
  return errorNames[error]
}

export const whyDisabled: Readonly<Record<Exclude<Webhook['disabled_why'], ''>, string>> = {
  by_hand: t.disabledByHand,
  failing: t.disabledFailing,
  gone: t.disabledGone,
}
