import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/runs'
import { useReleaseChecklist } from '../api/get-release-checklist'
import { useStartRun } from '../api/start-run'
import { isImport, startingValues } from '../state/parameter-values'
import { BuildChecklist } from './build-checklist'
import { ImportForm } from './import-form'
import { ParameterFields } from './parameter-fields'
import { ReleaseChecklist } from './release-checklist'
import styles from './stage-dialog.module.css'
import { type StageDialogProps, startOf, WhyNot } from './stage-start'
import { WebTitlesCost } from './web-titles-cost'

/** Asks for what a stage needs, then starts it. */
export function StageDialog(props: StageDialogProps) {
  return isImport(props.stage) ? <ImportForm {...props} /> : <PlainStageDialog {...props} />
}

function PlainStageDialog({ slug, stage, asked, onClose }: StageDialogProps) {
  const { mutate, isPending, error } = useStartRun(slug)
  const [values, setValues] = useState(() => startingValues(stage, asked))
  const [seed, setSeed] = useState(stage.last_run?.seed ?? 0)
  const isRelease = stage.name === 'release'
  const checklist = useReleaseChecklist(slug, isRelease)
  const isAnyway = isRelease && checklist.data?.is_clear === false
  const start = () => mutate(startOf(stage, values, seed), { onSuccess: onClose })
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" icon="play" isPending={isPending} isDisabled={!stage.startable} onPress={start}>
        {isAnyway ? t.releaseAnyway : t.start({ label: stage.label })}
      </Button>
    </>
  )
  return (
    <Dialog title={stage.label} isOpen onClose={onClose} footer={footer}>
      <p className={styles.lead}>{stage.explanation}</p>
      {error ? <Notice tone="bad">{asApiError(error).message}</Notice> : <WhyNot stage={stage} />}
      {stage.warning && (
        <Notice>
          {stage.warning.message}{' '}
          <Link to="/projects/$slug/difficulty" params={{ slug }}>
            {t.paperModels}
          </Link>
        </Notice>
      )}
      {stage.name === 'web_titles' && <WebTitlesCost slug={slug} mostUnits={Number(values.most_units)} />}
      {stage.obstacle && <Notice>{stage.obstacle.message}</Notice>}
      {stage.name === 'build_hits' && <BuildChecklist slug={slug} />}
      {isRelease && <ReleaseChecklist slug={slug} />}
      <ParameterFields stage={stage} values={values} onChange={setValues} seed={seed} onSeed={setSeed} />
    </Dialog>
  )
}
