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
import { createUnique, toName } from './names.ts'
import { errorName } from './write-operation.ts'

/** Moves parameters, headers and responses that operations repeat to components; `ownerOf` names that of a resource. */
export function shareRepeated(
  paths: Readonly<Record<string, PathItem>>,
  ownerOf: (resource: string) => string,
): Pick<OpenApiDocument, 'paths'> & Pick<Components, 'headers' | 'parameters' | 'responses'> {
  const headers = createShare<Header>('headers')
  const parameters = createShare<Parameter>('parameters')
  const responses = createShare<Response>('responses')
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (!isOperation(operation)) continue
    operation.parameters?.forEach(parameters.count)
    for (const response of Object.values(operation.responses)) {
      responses.count(response)
      if (!isInline<Response>(response)) continue
      Object.values(response.headers ?? {}).forEach(headers.count)
    }
  }

  function shareOperation(operation: Operation, method: string): Operation {
    const owner = ownerOf(operation.tags?.[0] ?? '')
    const prefixes = ['', owner, toName(method), toName(method) + owner]
    const namesOf = (name: string): string[] => prefixes.map((prefix) => prefix + name)
    const shareHeaders = (response: Response): Response => ({
      ...response,
      ...(response.headers && {
        headers: mapValues(response.headers, (one, name) =>
          headers.share(one, namesOf(toName(name))),
        ),
      }),
    })
    return {
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map((one) =>
          parameters.share(one, isInline<Parameter>(one) ? namesOf(parameterName(one)) : []),
        ),
      }),
      responses: mapValues(operation.responses, (one, status) => {
        const isSuccess = Number(status) < 300 && 'content' in one
        const name = isSuccess ? `${toName(operation.operationId)}Response` : errorName(status)
        return responses.share(one, namesOf(name), shareHeaders)
      }),
    }
  }

  const shared = mapValues(paths, (item) =>
    mapValues(item, (one, method) => (isOperation(one) ? shareOperation(one, method) : one)),
  ) as Record<string, PathItem>
  return {
    paths: shared,
    responses: responses.components,
    parameters: parameters.components,
    headers: headers.components,
  }
}

/** Creates the components of one kind, to which repeated parts move. */
function createShare<T extends object>(kind: string) {
  const counts = new Map<string, number>()
  const references = new Map<string, Reference>()
  const components: Record<string, T> = {}
  const unique = createUnique()
  return {
    /** Counts a part. All parts are counted before one is shared. */
    count(value: T | Reference): void {
      const key = JSON.stringify(value)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    /** Returns a reference to a repeated part, named by the first free name, otherwise the part. */
    share(
      value: T | Reference,
      names: readonly string[],
      convert = (part: T): T => part,
    ): T | Reference {
      if (!isInline<T>(value)) return value
      const key = JSON.stringify(value)
      if ((counts.get(key) ?? 0) < 2) return convert(value)
      const existing = references.get(key)
      if (existing) return existing
      const name = unique(names.find((one) => !Object.hasOwn(components, one)) ?? names[0] ?? '')
      const reference = { $ref: `#/components/${kind}/${name}` }
      references.set(key, reference)
      components[name] = convert(value)
      return reference
    },
    components,
  }
}

function parameterName({ name, in: place }: Parameter): string {
  return toName(name) + (place === 'path' ? 'InPath' : '')
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  convert: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, convert(one, key)]))
}

function isInline<T extends object>(value: T | Reference): value is T {
  return !('$ref' in value)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && 'operationId' in value
}
