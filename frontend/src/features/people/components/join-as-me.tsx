import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { signOut } from '@/lib/session/sign-out'
import { t } from '@/messages/people'
import { useAcceptInvitation } from '../api/accept-invitation'
import { Door, DoorNote } from './door'
import { Expiry, type JoinProps, welcome } from './invitation-words'

/** For somebody who is signed in: one button. */
export function JoinAsMe({ token, door, onJoined }: JoinProps) {
  const { mutate, isPending, error } = useAcceptInvitation(token)
  const queryClient = useQueryClient()
  const leaving = useMutation({ mutationFn: signOut, onSuccess: () => queryClient.resetQueries() })
  return (
    <Door
      tab={door.project_name}
      title={door.project_name}
      lead={welcome(door)}
      error={error}
      onSubmit={() => mutate({}, { onSuccess: ({ project_slug }) => onJoined(project_slug) })}
    >
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {door.signed_in_as ? t.joinAs({ name: door.signed_in_as }) : t.joinAsYourself}
      </Button>
      <Button variant="quiet" isPending={leaving.isPending} onPress={() => leaving.mutate()}>
        {t.somebodyElse}
      </Button>
      <DoorNote>
        <Expiry door={door} />
      </DoorNote>
    </Door>
  )
}
