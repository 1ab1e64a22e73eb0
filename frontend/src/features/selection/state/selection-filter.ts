export const statuses = ['all', 'selected', 'short_pool'] as const
export const orders = ['image', 'stability', 'similarity', 'n_good'] as const

export interface SelectionFilter {
  status: (typeof statuses)[number]
  order: (typeof orders)[number]
}

/** `?status=short_pool&order=n_good`, so that a list can be sent as a link. */
export const readFilter = (search: Record<string, unknown>): SelectionFilter => ({
  status: statuses.find((each) => each === search.status) ?? 'all',
  order: orders.find((each) => each === search.order) ?? 'image',
})

export const searchOf = ({ status, order }: SelectionFilter): Record<string, string> => ({
  ...(status !== 'all' && { status }),
  ...(order !== 'image' && { order }),
})
