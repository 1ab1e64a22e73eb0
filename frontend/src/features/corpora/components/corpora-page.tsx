import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Corpus } from '@/lib/api/served'
import { t } from '@/messages/corpora'
import { corporaActions } from '../actions'
import { useCorpora } from '../api/get-corpora'
import { isEmbedded, isLive } from '../state/embedding-looks'
import styles from './corpora-page.module.css'
import { CorpusView } from './corpus-view'
import { FoundView, YieldFigures } from './found-view'
import { RegisterCommand } from './register-command'
import { RegisterDialog } from './register-dialog'

/** The corpora a project borrows captions from, and how far each is embedded. */
export function CorporaPage({ project }: { project: Project }) {
  const { data: corpora, error, isPending, refetch } = useCorpora(project.slug)
  const [isRegistering, setRegistering] = useState(false)
  useCorporaActions(project, corpora, () => setRegistering(true))
  const next = nextToEmbed(corpora)
  return (
    <Page isWide>
      <PageHeader
        title={t.corpora}
        lead={corpora && corpora.length > 0 && t.corporaLead({ n: corpora.length })}
        actions={corpora && corpora.length > 0 && <Deeds project={project} corpora={corpora} />}
      />
      {isPending && <Skeleton label={t.theCorpora} rows={6} />}
      {error && !corpora && <ErrorState error={error} title={t.corporaNotShown} onRetry={() => void refetch()} />}
      {corpora?.length === 0 && <NoCorpus project={project} />}
      {corpora && corpora.length > 0 && <YieldFigures slug={project.slug} corpora={corpora} />}
      {corpora?.map((corpus) => (
        <CorpusView key={corpus.id} project={project} corpus={corpus} isNext={corpus === next} />
      ))}
      {corpora && corpora.length > 0 && <FoundView slug={project.slug} />}
      {isRegistering && <RegisterDialog slug={project.slug} onClose={() => setRegistering(false)} />}
    </Page>
  )
}

function useCorporaActions(project: Project, corpora: readonly Corpus[] | undefined, onRegister: () => void): void {
  const navigate = useNavigate()
  const isCurator = project.role === 'curator'
  const params = { slug: project.slug }
  const fresh = corpora?.find((corpus) => corpus.embeddings.length === 0)
  const start = (stage: string, corpus?: Corpus) =>
    void navigate({
      to: '/projects/$slug/walk',
      params,
      search: { start: stage, ...(corpus && { corpus: corpus.name }) },
    })
  useActions(corporaActions, {
    'corpora.register': { when: () => isCurator, perform: onRegister },
    'corpora.embed': {
      when: () => isCurator && (corpora?.length ?? 0) > 0,
      perform: () => start('embed_corpus', fresh ?? (corpora?.length === 1 ? corpora[0] : undefined)),
    },
    'corpora.retrieve': { when: () => isCurator && canRetrieve(corpora), perform: () => start('retrieve') },
    'corpora.leakage': () => void navigate({ to: '/projects/$slug/leakage', params }),
  })
}

const canRetrieve = (corpora: readonly Corpus[] | undefined): boolean =>
  corpora?.some((corpus) => isEmbedded(corpus) && !corpus.embeddings.some(isLive)) ?? false

/** The corpus whose turn it is: none where captions can be borrowed already, which is the next step then. */
const nextToEmbed = (corpora: readonly Corpus[] | undefined): Corpus | undefined =>
  canRetrieve(corpora) ? undefined : corpora?.find((one) => !isEmbedded(one) && !one.embeddings.some(isLive))

function Deeds({ project, corpora }: { project: Project; corpora: readonly Corpus[] }) {
  return (
    <>
      <ActionButton id="corpora.leakage" variant="quiet" showsKey />
      {project.role === 'curator' && (
        <>
          <ActionButton id="corpora.register" icon="plus" showsKey preventFocusOnPress={false} />
          {canRetrieve(corpora) && (
            <ActionButton id="corpora.retrieve" variant="primary" icon="play" showsKey preventFocusOnPress={false} />
          )}
        </>
      )}
    </>
  )
}

function NoCorpus({ project }: { project: Project }) {
  const isCurator = project.role === 'curator'
  return (
    <EmptyState
      title={t.noCorpus}
      icon="book"
      action={
        isCurator && (
          <ActionButton id="corpora.register" variant="primary" icon="plus" showsKey preventFocusOnPress={false} />
        )
      }
    >
      <p>{t.corpusExplained}</p>
      {isCurator ? (
        <div className={styles.aside}>
          <p>{t.registerHere}</p>
          <RegisterCommand slug={project.slug} />
        </div>
      ) : (
        <p>{t.curatorRegisters}</p>
      )}
    </EmptyState>
  )
}
