import { locale } from '@/lib/language/language'
import { t } from '@/messages/help'

/** What can be read on the page of help. */

export interface Entry {
  title: string
  lines: readonly string[]
}

export const guides: readonly Entry[] = [
  { title: t.startGuide, lines: [t.start1, t.start2, t.start3, t.start4] },
  { title: t.filesGuide, lines: [t.files1, t.files2, t.files3, t.files4] },
  { title: t.judgeGuide, lines: [t.judge1, t.judge2, t.judge3, t.judge4] },
  { title: t.reviewGuide, lines: [t.review1, t.review2, t.review3] },
  { title: t.qualityGuide, lines: [t.quality1, t.quality2, t.quality3] },
  { title: t.releaseGuide, lines: [t.release1, t.release2, t.release3] },
  { title: t.api, lines: [t.api1, t.api2] },
]

export const glossary: readonly Entry[] = [
  { title: t.projectWord, lines: [t.projectMeans] },
  { title: t.imageWord, lines: [t.imageMeans] },
  { title: t.captionWord, lines: [t.captionMeans] },
  { title: t.queryWord, lines: [t.queryMeans] },
  { title: t.pairWord, lines: [t.pairMeans] },
  { title: t.sourceWord, lines: [t.sourceMeans] },
  { title: t.corpusWord, lines: [t.corpusMeans] },
  { title: t.leakageWord, lines: [t.leakageMeans] },
  { title: t.sampleWord, lines: [t.sampleMeans] },
  { title: t.pipelineWord, lines: [t.pipelineMeans] },
  { title: t.stageWord, lines: [t.stageMeans] },
  { title: t.runWord, lines: [t.runMeans] },
  { title: t.taskWord, lines: [t.taskMeans] },
  { title: t.assignmentWord, lines: [t.assignmentMeans] },
  { title: t.answerWord, lines: [t.answerMeans] },
  { title: t.overlapWord, lines: [t.overlapMeans] },
  { title: t.lensWord, lines: [t.lensMeans] },
  { title: t.editWord, lines: [t.editMeans] },
  { title: t.genericWord, lines: [t.genericMeans] },
  { title: t.guidelinesWord, lines: [t.guidelinesMeans] },
  { title: t.quizWord, lines: [t.quizMeans] },
  { title: t.controlWord, lines: [t.controlMeans] },
  { title: t.policyWord, lines: [t.policyMeans] },
  { title: t.feedbackWord, lines: [t.feedbackMeans] },
  { title: t.caseWord, lines: [t.caseMeans] },
  { title: t.decisionWord, lines: [t.decisionMeans] },
  { title: t.consensusWord, lines: [t.consensusMeans] },
  { title: t.agreementWord, lines: [t.agreementMeans] },
  { title: t.selectionWord, lines: [t.selectionMeans] },
  { title: t.difficultyWord, lines: [t.difficultyMeans] },
  { title: t.releaseWord, lines: [t.releaseMeans] },
  { title: t.benchmarkWord, lines: [t.benchmarkMeans] },
].sort((a, b) => a.title.localeCompare(b.title, locale))

/** The entries that contain every one of these words. */
export function findEntries(entries: readonly Entry[], sought: string): readonly Entry[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ title, lines }) => {
    const text = [title, ...lines].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
