import { errorFromResponse, offlineError } from '@/lib/api/api-error'
import { csrfToken } from '@/lib/api/csrf'
import type { Upload } from '@/lib/api/served'
import { t } from '@/messages/uploads'

export interface UploadProgress {
  sent: number
  total: number
}

/**
 * Sends files in one request. By XMLHttpRequest, because fetch does not tell how much of a body has been sent.
 * Rejects with an ApiError, or with the signal's reason when it was aborted.
 */
export function uploadFiles(
  slug: string,
  files: readonly File[],
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Upload> {
  const form = new FormData()
  for (const file of files) form.append('files', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/v1/projects/${encodeURIComponent(slug)}/uploads`)
    request.setRequestHeader('X-CSRFToken', csrfToken() ?? '')
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total })
    request.onerror = () => reject(offlineError())
    request.onabort = () => reject(new DOMException(t.uploadStopped, 'AbortError'))
    request.onload = () => void readAnswer(request).then(resolve, reject)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

async function readAnswer(request: XMLHttpRequest): Promise<Upload> {
  const response = new Response(request.responseText, { status: request.status || 502 })
  if (!response.ok) throw await errorFromResponse(response)
  return (await response.json()) as Upload
}

export const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
