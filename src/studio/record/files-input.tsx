import type { VNode } from 'preact'
import { inTurn } from '../app/notices.ts'
import { revision, type Resource, type Row } from '../app/state.ts'
import { request } from '../control.ts'
import { sendFile } from '../data/edits.ts'
import type { Field } from '../data/fields.ts'
import { idIn } from '../data/pending-edits.ts'
import { linkOf, Value } from '../data/value.tsx'
import { Press, Problem } from '../parts/controls.tsx'
import { saveFile } from '../parts/download-button.tsx'
import { useOutcome } from '../parts/use-loaded.ts'

interface Props {
  resource: Resource
  record: Row
  field: Field
}

/** Shows the files of a field, and uploads, replaces and removes them by requests to their URLs. */
export function FilesInput({ resource, record, field }: Props): VNode {
  const { name, kind } = field
  const id = idIn(resource, record)
  const path = [resource.path, encodeURIComponent(id), encodeURIComponent(name)].join('/')
  const isList = kind === 'json' || Array.isArray(record[name])
  const files = [record[name] || []].flat()
  const send = async (url: string, method: string, file?: File): Promise<void> =>
    inTurn(async () => sendFile(resource, id, { url, method, ...(file && { file }) }))
  async function upload(url: string, method: string): Promise<void> {
    const file = await chooseFile()
    if (file) await send(url, method, file)
  }
  return (
    <div class="files" role="group" aria-label={name}>
      {files.map((value, at) => {
        const url = isList ? `${path}/${at}` : path
        return (
          <div key={url} class="files">
            <FilePreview url={url} value={value} />
            <div class="bar">
              <Press text="Replace…" run={() => upload(url, 'PUT')} />
              <Press text="Remove" run={() => send(url, 'DELETE')} />
            </div>
          </div>
        )
      })}
      {(isList || files.length === 0) && (
        <Press text={isList ? 'Add…' : 'Upload…'} run={() => upload(path, 'POST')} />
      )}
    </div>
  )
}

/** Chooses the files of a new record, which is added with their bytes as data URLs. */
export function NewFilesInput({ id, field, onInput }: NewFilesInputProps): VNode {
  const isList = field.kind === 'json'
  async function choose({ files }: HTMLInputElement): Promise<void> {
    const urls = await Promise.all(
      Array.from(files ?? [], async (file) =>
        toDataUrl(await file.arrayBuffer(), `${file.type};name=${encodeURIComponent(file.name)}`),
      ),
    )
    onInput(isList ? JSON.stringify(urls) : (urls[0] ?? ''))
  }
  return (
    <input
      id={id}
      type="file"
      multiple={isList}
      onChange={({ currentTarget }) => void choose(currentTarget)}
    />
  )
}

interface NewFilesInputProps {
  id: string
  field: Field
  onInput(text: string): void
}

/** Returns bytes as a data URL, of a type with parameters such as `name`. */
function toDataUrl(bytes: ArrayBuffer, type: string): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return `data:${type};base64,${btoa(text)}`
}

/** A file: an image itself, another file as a button that saves it, and the URL of another site as a link. */
function FilePreview({ url, value }: { url: string; value: unknown }): VNode {
  const isElsewhere = linkOf(value) !== undefined
  const load = async () => (isElsewhere ? undefined : loadFile(url))
  const { value: file, problem } = useOutcome(load, [url, value, revision.value])
  if (isElsewhere) return <Value value={value} />
  if (!file || problem !== '') return <Problem text={problem} />
  const { name, image } = file
  if (image !== undefined) return <img src={image} alt={name} />
  const save = async (): Promise<void> => saveFile(await (await request(url)).blob(), name)
  return <Press text={name} label={`Save ${name}`} run={save} />
}

/** Fetches the name of a file and, of an image, its data URL, which the policy of every page allows. */
async function loadFile(url: string): Promise<{ name: string; image?: string }> {
  const abort = new AbortController()
  const response = await request(url, { signal: abort.signal })
  const header = (name: string): string => response.headers.get(name) ?? ''
  const pattern = /.*filename(?:\*=UTF-8''|=")([^"]*)/
  const name = decodeURIComponent(pattern.exec(header('Content-Disposition'))?.[1] ?? 'file')
  const type = header('Content-Type')
  if (type.startsWith('image/'))
    return { name, image: toDataUrl(await response.arrayBuffer(), type) }
  abort.abort()
  return { name }
}

/** Lets a person choose a file; undefined if they choose none. */
async function chooseFile(): Promise<File | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  input.click()
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
  })
}
