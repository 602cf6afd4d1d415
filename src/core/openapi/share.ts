import { isRecord } from '../json/json.ts'
import type {
  Components,
  Header,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
} from '../types/openapi.ts'
import { createShare } from './component-share.ts'
import { toName } from './names.ts'
import { errorName } from './write-operation.ts'

/**
 * Moves headers, parameters and responses that occur more than once in an OpenAPI document to its components.
 * `ownerOf` returns the name of the component of a resource.
 */
export function shareRepeated(
  paths: Readonly<Record<string, PathItem>>,
  ownerOf: (resource: string) => string,
): Pick<OpenApiDocument, 'paths'> & Pick<Components, 'headers' | 'parameters' | 'responses'> {
  const headers = createShare<Header>('headers')
  const parameters = createShare<Parameter>('parameters')
  const responses = createShare<Response>('responses')
  for (const [path, method, operation] of operationsOf(paths)) {
    const owner = ownerOf(operation.tags?.[0] ?? '')
    for (const one of operation.parameters ?? []) {
      if (!isWhole<Parameter>(one)) continue
      const wanted = toName(one.name) + (one.in === 'path' ? 'InPath' : '')
      parameters.count(one, { wanted, owner, qualifiers: [typeNameOf(one), toName(method)] })
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isWhole<Response>(response)) continue
      const isRecord = Number(status) < 300 && response.content !== undefined
      const wanted = isRecord ? `${toName(operation.operationId)}Response` : errorName(status)
      const kind = path.endsWith('}') ? 'Record' : 'List'
      responses.count(response, { wanted, owner, qualifiers: [toName(method), kind] })
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        if (isWhole<Header>(header)) {
          headers.count(header, { wanted: toName(name), owner, qualifiers: [] })
        }
      }
    }
  }
  const shareHeaders = (response: Response): Response => {
    const { headers: own } = response
    if (!own) return response
    return {
      ...response,
      headers: mapValues(own, (one) => (isWhole<Header>(one) ? headers.share(one) : one)),
    }
  }
  const shareOperation = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((one) =>
        isWhole<Parameter>(one) ? parameters.share(one) : one,
      ),
    }),
    responses: mapValues(operation.responses, (response) => {
      const shared = isWhole<Response>(response) ? responses.share(response) : response
      return isWhole<Response>(shared) ? shareHeaders(shared) : shared
    }),
  })
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, (one) => (isOperation(one) ? shareOperation(one) : one)),
    ) as Record<string, PathItem>,
    responses: mapValues(responses.components(), shareHeaders),
    parameters: parameters.components(),
    headers: headers.components(),
  }
}

function operationsOf(
  paths: Readonly<Record<string, PathItem>>,
): [path: string, method: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, one]): [string, string, Operation][] =>
      isOperation(one) ? [[path, method, one]] : [],
    ),
  )
}

/** Returns the type of a parameter as a part of a name: `Integer`. */
function typeNameOf({ schema }: Parameter): string {
  const { type, anyOf } = isRecord(schema) ? schema : {}
  const [first] = Array.isArray(anyOf) ? anyOf : []
  const found = type ?? (isRecord(first) ? first['type'] : undefined)
  return typeof found === 'string' ? toName(found) : ''
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  convert: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, convert(one)]))
}

function isWhole<T extends object>(value: T | Reference): value is T {
  return !('$ref' in value)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && 'operationId' in value
}
