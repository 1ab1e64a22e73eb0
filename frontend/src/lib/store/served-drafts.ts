import { type Row, shelf } from './shelf'

/** A draft on this device: its id begins with its owner, and `isServed` says that the server has it as it is. */
interface KeptDraft extends Row {
  isServed?: boolean
}

const drafts = shelf<KeptDraft>('drafts')

/** Drops the drafts that the server has: of everybody, or of all but one person. What is not sent yet stays. */
export async function forgetServedDrafts(except?: string): Promise<void> {
  for (const { id, isServed } of await drafts.all())
    if (isServed && !(except && id.startsWith(`${except} `))) await drafts.drop(id)
}
