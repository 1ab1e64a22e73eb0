import { type RefObject, useImperativeHandle } from 'react'
import { ActionIconButton } from '@/components/ui/action-button'
import { cx } from '@/components/ui/cx'
import type { Assignment } from '@/lib/api/contract'
import { inOurLanguage } from '@/lib/language/catalogue'
import { bringFocus } from '@/lib/layout/bring-focus'
import { t } from '@/messages/annotate'
import styles from './photograph.module.css'
import { useZoom } from './use-zoom'
import type { Point } from './zoom'

const step = 1.25

export interface PhotographHandle {
  zoomIn: () => void
  zoomOut: () => void
  /** Moves it by so many widths and heights of its frame. */
  pan: (by: Point) => void
  fit: () => void
  /** Over the whole screen, and back. */
  fullScreen: () => void
  isEnlarged: () => boolean
}

export interface PhotographProps {
  image: Pick<NonNullable<Assignment['image']>, 'alt' | 'thumbnail'>
  /** Lets the page's keys reach the zoom. */
  handle: RefObject<PhotographHandle | null>
  /** It was brought near from a grid: the steps out, and fitting, put it back. */
  isNear?: boolean
}

/** The photograph on its dark mat; the small thumbnail stands in until the large one is decoded. */
export function Photograph({ image, handle, isNear = false }: PhotographProps) {
  const { small, large } = image.thumbnail
  const { frame, view, zoom, pan, fit, pointers } = useZoom(large)
  useImperativeHandle(handle, () => ({
    zoomIn: () => zoom(step),
    zoomOut: () => zoom(1 / step),
    pan,
    fit,
    fullScreen: () => toggleFullScreen(frame.current?.parentElement),
    isEnlarged: () => view.scale > 1,
  }))
  const isFitted = view.scale <= 1
  const words = inOurLanguage('alt_task', null, image.alt)
  return (
    <figure className={styles.mat}>
      <div ref={frame} className={cx(styles.frame, !isFitted && styles.zoomed)} {...pointers}>
        <img
          className={styles.photo}
          src={large.url}
          alt={words}
          width={large.width}
          height={large.height}
          draggable={false}
          decoding="sync"
          fetchPriority="high"
          style={{
            backgroundImage: `url("${encodeURI(small.url)}")`,
            transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
          }}
        />
      </div>
      <figcaption className={styles.tools}>
        <ActionIconButton id="photo.zoom-out" icon="minus" isDisabled={isFitted && !isNear} />
        <output className={styles.scale} aria-label={t.zoom}>
          {Math.round(view.scale * 100)}%
        </output>
        <ActionIconButton id="photo.zoom-in" icon="plus" />
        <ActionIconButton id="photo.fit" icon="fit" isDisabled={isFitted && !isNear} />
        {document.fullscreenEnabled && <ActionIconButton id="photo.full-screen" icon="expand" />}
      </figcaption>
    </figure>
  )
}

const ignore = () => undefined

/** A browser may refuse, or not know how: the photograph stays as it is. */
function toggleFullScreen(element: HTMLElement | null | undefined): void {
  if (!document.fullscreenEnabled || !element) return
  if (document.fullscreenElement) {
    // What stands outside had no focus to keep meanwhile.
    document.exitFullscreen().then(() => bringFocus(document.querySelector<HTMLElement>('[data-open]')), ignore)
    return
  }
  element.requestFullscreen().catch(ignore)
}
