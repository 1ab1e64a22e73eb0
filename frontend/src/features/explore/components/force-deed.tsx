import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Sample } from '@/lib/api/served'
import { t } from '@/messages/explore'
import { useForceSample } from '../api/force-sample'

/** Lets later stages go by the sample, or by all images again. Neither takes anything away, so nobody is asked twice. */
export function ForceDeed({ slug, sample }: { slug: string; sample: Sample }) {
  const { mutate, isPending } = useForceSample(slug, sample.id)
  const isInForce = sample.in_force_since !== null
  const done = isInForce ? t.lifted : t.nowInForce({ nPicked: sample.n_picked })
  const perform = () =>
    mutate(!isInForce, {
      onSuccess: () => showToast(done),
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
  return (
    <Button variant={isInForce ? 'secondary' : 'primary'} isPending={isPending} onPress={perform}>
      {isInForce ? t.lift : t.putInForce}
    </Button>
  )
}
