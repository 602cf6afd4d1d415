import type { VNode } from 'preact'
import { request } from '../control.ts'
import { Press } from './controls.tsx'

/**
 * A button that saves a document of the control API, such as the OpenAPI document, as a file. A link could
 * name neither the session nor a mock in another page.
 */
export function DownloadButton({ path, file, text }: DownloadButtonProps): VNode {
  const save = async (): Promise<void> => saveFile(await (await request(path)).blob(), file)
  return <Press text={text} run={save} />
}

/** Saves data as a file. */
export function saveFile(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

interface DownloadButtonProps {
  /** The path of a document of the control API. */
  path: string
  /** The name of the file. */
  file: string
  text: string
}
