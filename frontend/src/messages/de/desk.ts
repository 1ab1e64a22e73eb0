/** The rooms of those who run a project; loaded with the first of their pages. */
export const desk = {}
