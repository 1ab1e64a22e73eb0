import { getProjects } from './get-projects'

/** Where to go after signing in: into the only project of this person, else to the list. */
export async function landingPage(): Promise<string> {
  const { results, next } = await getProjects()
  const [only, second] = results
  return only && !second && !next ? `/projects/${only.slug}` : '/'
}
