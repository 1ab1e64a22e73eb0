import { Badge } from '@/components/ui/badge'
import type { StateLook } from '../state/quality-words'

/** How a person or a control stands, in a word and its tone. */
export const StateBadge = ({ look: { name, tone } }: { look: StateLook }) => <Badge tone={tone}>{name}</Badge>
