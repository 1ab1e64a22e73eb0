import { Button } from './button'

export interface MoreButtonProps {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  /** "Show more runs". */
  children: string
}

/** The foot of a paged list that is not scrolled endlessly. */
export function MoreButton({ hasNextPage, isFetchingNextPage, fetchNextPage, children }: MoreButtonProps) {
  if (!hasNextPage) return null
  return (
    <Button size="small" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
      {children}
    </Button>
  )
}
