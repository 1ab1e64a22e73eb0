export const english = {
  uploadStopped: 'The upload was stopped.',
  filesMore: { by: 'n', one: 'and {n} more file', other: 'and {n} more files' },
  clear: 'Clear',
  files: { by: 'n', one: '{n} file', other: '{n} files' },
  chosenFiles: 'Chosen files',
  chooseFiles: 'Choose files',
  sent: '{sent} of {total} uploaded.',
  allArrived: 'The upload is complete. The server checks the files now.',
  upload: 'Upload',
} as const
