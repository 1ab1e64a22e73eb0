import { ProjectListPage } from '@/features/projects/components/project-list-page'

export function ProjectsRoute() {
  return <ProjectListPage />
}
