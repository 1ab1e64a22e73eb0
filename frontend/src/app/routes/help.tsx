import { HelpPage } from '@/features/help/components/help-page'
import { pagesOfActions } from '../every-action'

export const HelpRoute = () => <HelpPage pages={pagesOfActions} />
