import type { PublicRelease } from '@/lib/api/served'
import { t } from '@/messages/releases'

export interface Snippet {
  id: string
  label: string
  code: string
  note: string
}

// Between braces in capitals stands what is filled in. A key is sent where the release has no public page.
// load_dataset reads an address only where aiohttp is installed, and pandas comes with datasets.
const datasets = [
  'import datasets, pandas',
  'data = datasets.Dataset.from_pandas(pandas.read_json("{FILE}", lines=True{KEY}))',
  'print(data[0]["text"], data[0]["difficulty"])',
]
const pandas = [
  'import pandas',
  'captions = pandas.read_json("{FILE}", lines=True{KEY})',
  'print(captions.groupby("split").text.count())',
]
const publicClient = [
  'from connote_client import Client',
  'release = Client.public("{PAGE}")',
  'print(release.to_datasets()["train"][0])',
]
const client = [
  'from connote_client import Client',
  'release = Client("{ORIGIN}", token="YOUR_TOKEN").project("{PROJECT}").release("{LABEL}")',
  'print(release.to_datasets()["train"][0])',
]
const plain = [
  'import json, urllib.request',
  'lines = urllib.request.urlopen("{FILE}")',
  'print(next(map(json.loads, lines))["text"])',
]
const webdataset = [
  'import webdataset',
  'data = webdataset.WebDataset("{PROJECT}-{LABEL}/train-00000.tar", shardshuffle=False).decode("pil")',
  'print(next(iter(data))["json"]["captions"])',
]
const key = '{"Authorization": "Bearer YOUR_TOKEN"}'

/** Code that loads the same captions with each tool. */
export function snippetsOf({ files, public_url: page, label, project }: PublicRelease): Snippet[] {
  const { origin } = globalThis.location
  const name = 'captions.jsonl'
  const token = page?.slice(page.lastIndexOf('/') + 1)
  const own = files.find((file) => file.name === name)?.url ?? ''
  const values: Record<string, string> = {
    FILE: origin + (token ? `/api/v1/public/releases/${token}/files/${name}` : own),
    KEY: page ? '' : `, storage_options=${key}`,
    PAGE: page ?? '',
    ORIGIN: origin,
    PROJECT: project,
    LABEL: label,
  }
  const fill = (lines: readonly string[]) =>
    lines.join('\n').replaceAll(/\{([A-Z_]+)\}/g, (_, place: string) => values[place] ?? '')
  const note = page ? '' : t.needsToken
  return [
    { id: 'datasets', label: 'datasets', code: fill(datasets), note },
    { id: 'pandas', label: 'pandas', code: fill(pandas), note },
    { id: 'client', label: 'connote-client', code: fill(page ? publicClient : client), note },
    ...(page ? [{ id: 'python', label: 'Python', code: fill(plain), note: t.needsNothing }] : []),
    { id: 'webdataset', label: 'webdataset', code: fill(webdataset), note: t.needsExport },
  ]
}
