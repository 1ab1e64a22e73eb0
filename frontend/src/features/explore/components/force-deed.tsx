import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Sample } from '@/lib/api/served'
import { plural } from '@/lib/format/numbers'
import { useForceSample } from '../api/force-sample'

/** Lets later stages go by the sample, or by all images again. Neither takes anything away, so nobody is asked twice. */
export function ForceDeed({ slug, sample }: { slug: string; sample: Sample }) {
  const { mutate, isPending } = useForceSample(slug, sample.id)
  const isInForce = sample.in_force_since !== null
  const done = isInForce
    ? 'Lifted: later stages take all photographs again.'
    : `In force: later stages take ${plural(sample.n_picked, 'picked photograph')}. What is in HITs stays there.`
  const perform = () =>
    mutate(!isInForce, {
      onSuccess: () => showToast(done),
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
  return (
    <Button variant={isInForce ? 'secondary' : 'primary'} isPending={isPending} onPress={perform}>
      {isInForce ? 'Lift the sample' : 'Put it in force'}
    </Button>
  )
}
