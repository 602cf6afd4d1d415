import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MockResponse } from '../../core/http/contract/messages.ts'
import { ownValue } from '../../core/json/json.ts'
import { controlPath } from '../../core/url/control-path.ts'

const docsPath = `${controlPath}/docs`

/** Answers with the studio, the API reference below `/__mock/docs`, or a file of these; else undefined. */
export async function readHome(path: string): Promise<MockResponse | undefined> {
  if (path.startsWith(docsPath)) return readDocs(path)
  const { answerHome } = await import('../web/home.ts')
  return answerHome(path, readHomeFile)
}

/** Reads a file of the home page; undefined for an unknown name. */
export async function readHomeFile(name: string): Promise<string | undefined> {
  const { homeFiles } = await import('../../studio/home-files.ts')
  return ownValue(homeFiles, name)
}

/** Responds with the API reference or one of its files, or with how to install the package that shows it. */
async function readDocs(path: string): Promise<MockResponse | undefined> {
  const docs = await import('../../studio/docs-page.ts')
  const { policy, toPageResponse } = await import('../web/home.ts')
  if (path === `${docsPath}/style.css`) return toPageResponse('css', docs.docsStyle, policy)
  if (path === `${docsPath}/docs.js`)
    return toPageResponse('javascript', await readFile(docs.docsScript, 'utf8'), policy)
  const { findSwaggerUi } = await import('./swagger-ui.ts')
  const folder = findSwaggerUi()
  if (path === docsPath)
    return toPageResponse('html', folder === undefined ? docs.missingPage : docs.docsPage, policy)
  const file = path.slice(docsPath.length + 1)
  const type = ownValue(swaggerFiles, file)
  if (folder === undefined || type === undefined) return undefined
  return toPageResponse(type, await readFile(join(folder, file), 'utf8'), policy)
}

/** The files of Swagger UI that the API reference loads, with their types. */
const swaggerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'css',
  'swagger-ui-bundle.js': 'javascript',
}
