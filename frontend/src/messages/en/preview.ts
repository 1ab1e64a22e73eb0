export const english = {
  startAnnotating: 'Annotate tasks yourself',
  annotateYourself: 'Annotate yourself',
  showAnotherTask: 'Show another task',
  anotherTask: 'Another task',
  previewNote: 'This is a preview. You see the task as an annotator does. Nothing is saved.',
  previewNotSent: 'Nothing was sent: this is a preview. Here is another task.',
  previewNotShown: 'The preview did not load',
  noTasksYet: 'There are no tasks yet',
  noTasksYetWords: 'Build tasks first. Then you see here what annotators see.',
} as const
