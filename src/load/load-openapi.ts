import { fileURLToPath, pathToFileURL } from 'node:url'
import type { OpenApiSource } from '../core/dialects/contract/openapi-source.ts'
import { toMessage } from '../core/errors/error-details.ts'
import { configError } from '../core/errors/mock-error.ts'
import { createOpenApiSource } from '../core/source/from-openapi.ts'
import { toLabel } from '../loader/discover/discover.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'
import { readReferences, readValue } from './read-documents.ts'

type DocumentOption = 'cwd' | 'bind' | 'count' | 'seed' | 'auth' | 'webhooks'

/** Reads an OpenAPI document, and the files that its `$ref`s lead to. @throws MockError that names the file */
export async function loadOpenApi(
  path: string,
  { cwd, bind, count, seed, auth, webhooks }: Pick<ResolvedConfig, DocumentOption>,
): Promise<OpenApiSource> {
  const uri = pathToFileURL(path).href
  const label = toLabel(path, cwd)
  const options = { headers: {}, timeout: 10_000 }
  const documents = await readValue(uri, label, options)
    .then((root) => readReferences(uri, root, options))
    .catch((error: unknown) => {
      throw configError(toMessage(error), error)
    })
  const source = createOpenApiSource(documents, uri, {
    ...(bind && { bind }),
    ...(count !== undefined && { count }),
    ...(auth !== undefined && { auth }),
    ...(webhooks && { webhooks }),
    ...(seed !== undefined && { seed }),
  })
  const files = [...documents.keys()].filter((file) => file.startsWith('file:'))
  return { ...source, files: files.map((file) => fileURLToPath(file)) }
}
