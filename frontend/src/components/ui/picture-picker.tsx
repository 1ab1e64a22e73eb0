import { useId, useState } from 'react'
import type { CatalogueImage } from '@/lib/api/served'
import { useImage } from '@/lib/images/get-image'
import { useImages } from '@/lib/images/get-images'
import { t } from '@/messages/common'
import fields from './field.module.css'
import { MoreButton } from './more-button'
import { NumberField } from './number-field'
import styles from './picture-picker.module.css'
import { Skeleton } from './skeleton'
import { ErrorState } from './states'

export type Picture = Pick<CatalogueImage, 'id' | 'thumbnail'>

export interface PicturePickerProps {
  slug: string
  value: Picture | null
  onChange: (picture: Picture) => void
}

const shownAtFirst = 12

/** One photograph of the project: of those in sight, or any other by its number. */
export function PicturePicker({ slug, value, onChange }: PicturePickerProps) {
  const { data, error, isPending, refetch, ...pages } = useImages(slug)
  const [isOpen, setOpen] = useState(false)
  const images = data?.pages.flatMap((page) => page.results) ?? []
  const inSight: Picture[] = isOpen ? images : images.slice(0, shownAtFirst)
  const shown = value && !inSight.some(({ id }) => id === value.id) ? [value, ...inSight] : inSight
  return (
    <>
      {isPending && <Skeleton label={t.thePhotographs} rows={2} />}
      {error && <ErrorState error={error} title={t.photographsNotShown} onRetry={() => void refetch()} />}
      <Choices pictures={shown} value={value} onChange={onChange} />
      <MoreButton
        {...pages}
        hasNextPage={isOpen ? pages.hasNextPage : images.length > shownAtFirst}
        fetchNextPage={() => (isOpen ? pages.fetchNextPage() : setOpen(true))}
      >
        {t.morePhotographs}
      </MoreButton>
      <ByNumber slug={slug} onChange={onChange} />
    </>
  )
}

type ChoicesProps = Omit<PicturePickerProps, 'slug'> & { pictures: readonly Picture[] }

function Choices({ pictures, value, onChange }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className={fields.label}>{t.photograph}</legend>
      {pictures.map((picture) => (
        <label key={picture.id} className={styles.choice}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={picture.id === value?.id}
            onChange={() => onChange(picture)}
          />
          <img src={picture.thumbnail.small.url} alt={t.photographNumber({ n: picture.id })} loading="lazy" />
        </label>
      ))}
    </fieldset>
  )
}

/** Looked up as soon as a whole number stands there. */
function ByNumber({ slug, onChange }: Pick<PicturePickerProps, 'slug' | 'onChange'>) {
  const [number, setNumber] = useState(NaN)
  return (
    <>
      <NumberField
        label={t.photographByNumber}
        hint={t.photographByNumberHint}
        minValue={1}
        value={number}
        onChange={setNumber}
      />
      {!Number.isNaN(number) && <Found key={number} slug={slug} number={number} onChange={onChange} />}
    </>
  )
}

function Found({ slug, number, onChange }: Pick<PicturePickerProps, 'slug' | 'onChange'> & { number: number }) {
  const { data, error } = useImage(slug, number)
  if (error) return <p className={fields.error}>{t.noPhotographOfNumber}</p>
  if (!data) return null
  return <Choices pictures={[data]} value={null} onChange={onChange} />
}
