/** What one tab of this browser tells the others. */
export type News =
  | { kind: 'signed-in'; username: string }
  | { kind: 'done'; owner: string; assignmentId: string; how: 'sent' | 'skipped' }

let channel: BroadcastChannel | null = null

function open(): BroadcastChannel {
  channel ??= new BroadcastChannel('connote')
  return channel
}

export const tellTabs = (news: News): void => open().postMessage(news)

/** Calls back with what the other tabs say; this one does not hear itself. */
export function onNews(listener: (news: News) => void): () => void {
  const hear = ({ data }: MessageEvent<News>) => listener(data)
  const heard = open()
  heard.addEventListener('message', hear)
  return () => heard.removeEventListener('message', hear)
}
