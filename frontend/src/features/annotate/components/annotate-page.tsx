import type { Project } from '@/lib/api/contract'

export function AnnotatePage({ project }: { project: Project }) {
  return <main>{project.name}</main>
}
