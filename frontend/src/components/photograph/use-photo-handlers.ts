import type { RefObject } from 'react'
import type { Handlers } from '@/lib/actions/action-context'
import type { photoActions } from './photo-actions'
import type { PhotographHandle } from './photograph'

/** How much of its frame an enlarged photograph moves by at one press. */
const stride = 0.2

/** What the verbs of the photograph do to the one that `photograph` holds, if there is one. */
export function usePhotoHandlers(photograph: RefObject<PhotographHandle | null>): Handlers<typeof photoActions> {
  const isEnlarged = () => photograph.current?.isEnlarged() ?? false
  const pan = (x: number, y: number) => photograph.current?.pan({ x: x * stride, y: y * stride })
  return {
    'photo.zoom-in': () => photograph.current?.zoomIn(),
    'photo.zoom-out': () => photograph.current?.zoomOut(),
    'photo.fit': () => photograph.current?.fit(),
    'photo.pan-left': { when: isEnlarged, perform: () => pan(1, 0) },
    'photo.pan-right': { when: isEnlarged, perform: () => pan(-1, 0) },
    'photo.pan-up': { when: isEnlarged, perform: () => pan(0, 1) },
    'photo.pan-down': { when: isEnlarged, perform: () => pan(0, -1) },
    'photo.full-screen': () => photograph.current?.fullScreen(),
  }
}
