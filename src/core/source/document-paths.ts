import { isRecord } from '../json/json.ts'
import { decode } from '../url/pattern.ts'
import { splitUri, withoutSlash } from '../url/uri.ts'
import { type Documents, follow, inside, type Part } from '../json/documents.ts'

/** Returns the operations of an OpenAPI document (2.0 to 3.1); undefined for another document. */
export function pathsOf(documents: Documents, uri: string): PathOperations[] | undefined {
  const root: Part = { value: documents.get(uri), uri }
  const { value } = root
  const paths = inside(root, 'paths')
  if (!isRecord(value) || !isRecord(paths.value)) return undefined
  if (value['openapi'] === undefined && value['swagger'] === undefined) return undefined
  const base = basePathOf(root)
  return Object.keys(paths.value).map((path) => {
    const item = follow(documents, inside(paths, path))
    return {
      path: base + decode(withoutSlash(path)),
      operation(method) {
        const found = item && inside(item, method)
        return found && isRecord(found.value) ? found : undefined
      },
    }
  })
}

/** A path of an OpenAPI document, and its operations. */
export interface PathOperations {
  /** With the path of the server, and without a slash at the end: `/api/posts/{id}`. */
  path: string
  operation(method: string): Part | undefined
}

function basePathOf(root: Part): string {
  const url = inside(inside(inside(root, 'servers'), 0), 'url').value
  const { value: base = '' } = inside(root, 'basePath')
  return withoutSlash(typeof url === 'string' ? splitUri(url).path : String(base))
}

/** Returns the statuses of the responses of an operation. */
export function statusesOf(operation: Part): string[] {
  const { value } = inside(operation, 'responses')
  return isRecord(value) ? Object.keys(value) : []
}

/** Returns the schema of a successful response; undefined for a response without JSON. */
export function responseSchema(documents: Documents, operation: Part): Part | undefined {
  const responses = inside(operation, 'responses')
  const status = ['200', '201', '2XX', '2xx', 'default'].find(
    (one) => inside(responses, one).value !== undefined,
  )
  const response = status === undefined ? undefined : follow(documents, inside(responses, status))
  return response && contentSchema(response)
}

/** Returns the schema of the body of a request. */
export function bodySchema(documents: Documents, operation: Part): Part | undefined {
  const body = follow(documents, inside(operation, 'requestBody'))
  const content = body && contentSchema(body)
  if (content) return content
  // OpenAPI 2.0 has the body among the parameters.
  const parameters = inside(operation, 'parameters')
  const list = Array.isArray(parameters.value) ? parameters.value : []
  const at = list.findIndex((one) => isRecord(one) && one['in'] === 'body')
  return at < 0 ? undefined : schemaOf(inside(parameters, at))
}

function contentSchema(part: Part): Part | undefined {
  const content = inside(part, 'content')
  const types = isRecord(content.value) ? Object.keys(content.value) : []
  const type = types.find((one) => /[/+]json\b/.test(one)) ?? types.find((one) => one === '*/*')
  return schemaOf(type === undefined ? part : inside(content, type))
}

function schemaOf(part: Part): Part | undefined {
  const schema = inside(part, 'schema')
  return schema.value === undefined ? undefined : schema
}
