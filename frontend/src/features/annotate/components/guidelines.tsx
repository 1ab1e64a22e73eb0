import { useState } from 'react'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import { onDemand, usePreload } from '@/lib/on-demand'
import { guidelinesActions } from '../actions'
import { NotYet } from './not-yet'

const GuidelinesPanel = onDemand(() => import('./guidelines-panel').then((module) => module.GuidelinesPanel), NotYet)
const likelySoon = [GuidelinesPanel]

/** The guidelines beside the work. They stay open while one task follows the other. */
export function Guidelines({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false)
  useActions(guidelinesActions, { 'guidelines.open': () => setOpen((was) => !was) })
  usePreload(likelySoon)
  return isOpen && <GuidelinesPanel project={project} onClose={() => setOpen(false)} />
}
