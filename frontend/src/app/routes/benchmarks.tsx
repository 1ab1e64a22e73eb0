import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { BenchmarksPage } from '@/features/benchmarks/components/benchmarks-page'
import { ComparisonPage } from '@/features/benchmarks/components/comparison-page'
import { EvaluationPage } from '@/features/benchmarks/components/evaluation-page'
import { readAsked, readPair } from '@/features/benchmarks/state/asked'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function BenchmarksRoute() {
  const from = '/signed-in/projects/$slug/benchmarks'
  const asked = readAsked(useSearch({ from }))
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <BenchmarksPage
          key={project.slug}
          project={project}
          asked={asked}
          onAsk={(search) =>
            void navigate({
              to: '/projects/$slug/benchmarks',
              params: { slug: project.slug },
              search: { ...search },
              replace: true,
            })
          }
        />
      )}
    </WithProject>
  )
}

export function ComparisonRoute() {
  const from = '/signed-in/projects/$slug/benchmarks/compare'
  const asked = readPair(useSearch({ from }))
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <ComparisonPage
          key={project.slug}
          project={project}
          asked={asked}
          onAsk={(search) =>
            void navigate({
              to: '/projects/$slug/benchmarks/compare',
              params: { slug: project.slug },
              search: { ...search },
              replace: true,
            })
          }
        />
      )}
    </WithProject>
  )
}

export function EvaluationRoute() {
  const { evaluationId } = useParams({ from: '/signed-in/projects/$slug/benchmarks/$evaluationId' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <EvaluationPage key={evaluationId} project={project} evaluationId={evaluationId} />}
    </WithProject>
  )
}
