import { useParams } from '@tanstack/react-router'
import { PublicReleasePage } from '@/features/releases/components/public-release-page'

export function PublicReleaseRoute() {
  const { token } = useParams({ from: '/r/$token' })
  return <PublicReleasePage key={token} token={token} />
}
