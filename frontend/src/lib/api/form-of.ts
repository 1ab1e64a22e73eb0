/** A request's body as a form, which is how files travel: the schema knows a file only as text. */
export function formOf(fields: Record<string, File | string | null>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof File) form.append(name, value, value.name)
    else if (value !== null) form.append(name, value)
  }
  return form
}
