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

/** Moves the headers, parameters and responses that are there more than once to the components. */
export function shareRepeated(
  paths: Readonly<Record<string, PathItem>>,
): Pick<OpenApiDocument, 'paths'> & Pick<Components, 'headers' | 'parameters' | 'responses'> {
  const headers = createShare<Header>()
  const parameters = createShare<Parameter>()
  const responses = createShare<Response>()
  const nameOf = ({ name }: Parameter): string => toName(name)
  const operations = Object.values(paths).flatMap((item) => Object.values(item).filter(isOperation))
  for (const { parameters: own = [], responses: all } of operations) {
    for (const one of own) if (isWhole<Parameter>(one)) parameters.count(one)
    for (const response of Object.values(all)) {
      if (!isWhole<Response>(response)) continue
      responses.count(response)
      for (const header of Object.values(response.headers ?? {}))
        if (isWhole<Header>(header)) headers.count(header)
    }
  }
  const shareHeaders = (response: Response): Response => {
    const { headers: own } = response
    if (!own) return response
    const shared = Object.entries(own).map(([name, header]) => {
      return [
        name,
        isWhole<Header>(header) ? headers.share(header, toName(name), 'headers') : header,
      ]
    })
    return {
      ...response,
      headers: Object.fromEntries(shared) as Record<string, Header | Reference>,
    }
  }
  const shareOperation = (operation: Operation): Operation => {
    const { parameters: own, responses: all } = operation
    const entries = Object.entries(all).map(([status, response]) => {
      if (!isWhole<Response>(response)) return [status, response]
      const isError = Number(status) >= 300 || status === '204'
      const shared = isError ? responses.share(response, errorName(status), 'responses') : response
      return [status, isWhole<Response>(shared) ? shareHeaders(shared) : shared]
    })
    return {
      ...operation,
      ...(own && {
        parameters: own.map((one) =>
          isWhole<Parameter>(one) ? parameters.share(one, nameOf(one), 'parameters') : one,
        ),
      }),
      responses: Object.fromEntries(entries) as Operation['responses'],
    }
  }
  const shared = Object.entries(paths).map(([path, item]) => {
    const entries = Object.entries(item).map(([key, value]) => [
      key,
      isOperation(value) ? shareOperation(value) : value,
    ])
    return [path, Object.fromEntries(entries)] as const
  })
  const components = responses.components()
  return {
    paths: Object.fromEntries(shared),
    responses: Object.fromEntries(
      Object.entries(components).map(([name, one]) => [name, shareHeaders(one)]),
    ),
    parameters: parameters.components(),
    headers: headers.components(),
  }
}

/** Components of one kind, by their content. */
function createShare<T extends object>(): {
  count(value: T): void
  share(value: T, name: string, kind: string): T | Reference
  components(): Record<string, T>
} {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const components: Record<string, T> = {}
  const unique = createUnique()
  return {
    count(value) {
      const key = JSON.stringify(value)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    share(value, wanted, kind) {
      const key = JSON.stringify(value)
      if ((counts.get(key) ?? 0) < 2) return value
      const name = names.get(key) ?? unique(wanted)
      names.set(key, name)
      components[name] = value
      return { $ref: `#/components/${kind}/${name}` }
    },
    components: () => components,
  }
}

function isWhole<T extends object>(value: T | Reference): value is T {
  return !('$ref' in value)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && 'operationId' in value
}
