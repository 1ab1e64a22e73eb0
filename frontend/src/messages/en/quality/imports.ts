export const english = {
  elsewhere: 'Answers from other platforms',
  elsewhereExplained:
    'You can import answers for these pairs from another platform. They count like answers from here.',
  importJudgments: 'Import answers',
  judgmentFormat:
    'Use a table with the columns {task}, {worker} and {label}, as in crowd-kit. Exports of Label Studio, doccano, Prodigy, Argilla, Toloka, Appen and Mechanical Turk also work. So do votes by query and image (ConQA). A task is the key of a pair. Without keys, the file needs the image and the text.',
  theirLabels: 'Labels in the file',
  theirLabelsHint: 'Only if the labels are not good, bad, unsure, yes or no. For example: fits=good,misses=bad.',
  otherColumns: 'The columns have other names',
  taskColumn: 'Task column',
  taskColumnHint: 'Use commas for several columns. Without a column, image and caption are the task.',
  workerColumn: 'Annotator column',
  labelColumn: 'Label column',
  labelColumnHint: 'For an export of Label Studio with several choices, enter the name of the choice.',
  fileAnnotator: 'Annotator of the file',
  fileAnnotatorHint: 'Only if the file names no annotator. A doccano file has the name of its annotator.',
  chooseQueries: 'Choose the file with the query texts',
  judgmentsTaken: { by: 'n', one: '{n} answer added', other: '{n} answers added' },
  ofPeople: { by: 'n', one: 'from {n} annotator', other: 'from {n} annotators' },
  refusedAt: { by: 'n', one: 'Once, at {places}', other: '{n} times, at {places}' },
} as const
