import type { ActionSpec } from '@/lib/actions/action'
import { backKey, onwardKey } from '@/lib/language/direction'
import { t } from '@/messages/candidates'

/** Going through one photograph's captions and deciding on them. */
export const poolRowActions = [
  { id: 'pool.next', name: t.goNext, label: t.next, keys: ['j', 'ArrowDown'], scope: 'pool' },
  { id: 'pool.previous', name: t.goBefore, label: t.before, keys: ['k', 'ArrowUp'], scope: 'pool' },
  {
    id: 'pool.restore',
    name: t.keepAfterAll,
    label: t.restore,
    keys: ['r'],
    scope: 'pool',
    decides: true,
  },
  { id: 'pool.drop', name: t.dropCaption, label: t.drop, keys: ['x'], scope: 'pool', decides: true },
] as const satisfies readonly ActionSpec[]

/** What else there is to do on the page of a pool. */
export const poolActions = [
  { id: 'pool.add', name: t.addByHand, label: t.addCaption, keys: ['a'], scope: 'pool' },
  { id: 'pool.filter', name: t.findByWords, label: t.find, keys: ['/'], scope: 'pool' },
  {
    id: 'pool.undo',
    name: t.takeBackLast,
    label: t.takeBack,
    keys: ['z'],
    scope: 'pool',
    decides: true,
  },
  {
    id: 'pool.nextImage',
    name: t.showNextPhotograph,
    label: t.nextPhotograph,
    keys: [onwardKey],
    scope: 'pool',
  },
  {
    id: 'pool.previousImage',
    name: t.showPhotographBefore,
    label: t.photographBefore,
    keys: [backKey],
    scope: 'pool',
  },
  { id: 'pool.close', name: t.backToPhotograph, label: t.photograph, keys: ['Escape'], scope: 'pool' },
] as const satisfies readonly ActionSpec[]

/** Going through what a rule did, and undoing it. */
export const funnelActions = [
  { id: 'funnel.next', name: t.goNextExample, label: t.next, keys: ['j', 'ArrowDown'], scope: 'funnel' },
  { id: 'funnel.previous', name: t.goExampleBefore, label: t.before, keys: ['k', 'ArrowUp'], scope: 'funnel' },
  {
    id: 'funnel.restore',
    name: t.keepAfterAll,
    label: t.restore,
    keys: ['r'],
    scope: 'funnel',
    decides: true,
  },
  { id: 'funnel.drop', name: t.dropCaption, label: t.drop, keys: ['x'], scope: 'funnel', decides: true },
] as const satisfies readonly ActionSpec[]

export const funnelPageActions = [
  {
    id: 'funnel.undo',
    name: t.takeBackLast,
    label: t.takeBack,
    keys: ['z'],
    scope: 'funnel',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]

/** Going through suspects and deciding on them. */
export const leakageRowActions = [
  { id: 'leakage.next', name: t.goNextSuspect, label: t.next, keys: ['j', 'ArrowDown'], scope: 'leakage' },
  {
    id: 'leakage.previous',
    name: t.goSuspectBefore,
    label: t.before,
    keys: ['k', 'ArrowUp'],
    scope: 'leakage',
  },
  {
    id: 'leakage.keepOut',
    name: t.keepPictureOut,
    label: t.keepOut,
    keys: ['x'],
    scope: 'leakage',
    decides: true,
  },
  {
    id: 'leakage.allow',
    name: t.allowPicture,
    label: t.allow,
    keys: ['a'],
    scope: 'leakage',
    decides: true,
  },
] as const satisfies readonly ActionSpec[]

export const leakageActions = [
  {
    id: 'leakage.undo',
    name: t.takeBackLast,
    label: t.takeBack,
    keys: ['z'],
    scope: 'leakage',
    decides: true,
  },
  { id: 'leakage.difference', name: t.showDifference, label: t.difference, keys: ['d'], scope: 'leakage' },
  { id: 'leakage.corpora', name: t.goCorpora, label: t.corpora, keys: ['Escape'], scope: 'leakage' },
] as const satisfies readonly ActionSpec[]
