export const english = {
  elsewhere: 'Judged elsewhere',
  elsewhereExplained:
    'Judgments of these pairs that were made on another platform count and are reported like those made here.',
  importJudgments: 'Import judgments',
  judgmentFormat:
    'A table with the columns {task}, {worker} and {label}, as crowd-kit reads it; an export of Label Studio; or votes by query and image, as ConQA has them. A task is the key of a pair, or the file has its image and its text.',
  theirLabels: 'Their labels',
  theirLabelsHint:
    'Where they are not good, bad and unsure, or yes and no: what each is here, as in fits=good,misses=bad.',
  otherColumns: 'Its columns have other names',
  taskColumn: 'Column of the task',
  taskColumnHint: 'Several by comma. Without one, image and caption are the task.',
  workerColumn: 'Column of who judged',
  labelColumn: 'Column of the label',
  labelColumnHint: 'In an export of Label Studio the name of the choice, where there are several.',
  chooseQueries: 'Choose the words of the queries',
  judgmentsTaken: { by: 'n', one: '{n} judgment added', other: '{n} judgments added' },
  ofPeople: { by: 'n', one: 'of {n} person', other: 'of {n} people' },
  refusedAt: { by: 'n', one: 'Once, at {places}', other: '{n} times, at {places}' },
} as const
