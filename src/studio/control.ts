import { isLinked, pageParams, send } from './host.ts'

/**
 * Sends a request to the control API (`/__mock`), with the session and the token in the URL of the page; to the mock
 * itself if the path begins with `/`.
 * @throws ControlError for an error response, or without a response
 */
export async function request(
  path: string,
  { method = 'GET', input, file, headers, params: given, signal }: RequestOptions = {},
): Promise<Response> {
  const response = await send(path.startsWith('/') ? path : addressOf(path, given), {
    method,
    headers: { 'Content-Type': 'application/json', ...sessionHeaders, ...headers },
    ...(input !== undefined && { body: JSON.stringify(input) }),
    ...(file && { body: file }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ControlError(isLinked ? (cause as Error).message : noResponse, 0)
  })
  if (response.ok) return response
  const problem = (await response.json().catch(() => ({}))) as Partial<
    ControlError & { detail: string }
  >
  const { message = problem.detail ?? response.statusText, errors } = problem
  throw new ControlError(message, response.status, errors)
}

/** Sends a request to the control API, and returns the JSON of the response. */
export async function ask<Value>(path: string, options?: RequestOptions): Promise<Value> {
  return (await (await request(path, options)).json()) as Value
}

/** Finds the records of a collection that a query of the control API describes. */
export async function findRows(name: string, input: object): Promise<Record<string, unknown>[]> {
  return ask(`${dbPath(name)}/find`, { method: 'POST', input })
}

const token = pageParams.get('token')

/**
 * The session (a copy of the mock for one client) whose data, rules and log the page shows; null for the
 * shared mock.
 */
export const session: string | null = pageParams.get('session')

/** The header that names the session. */
export const sessionHeaders: Record<string, string> =
  session === null ? {} : { 'X-Mock-Session': session }

/** The URL of an endpoint of the control API with its parameters and token, for requests that cannot have headers. */
export function addressOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(token === null ? params : { ...params, token }).toString()
  return `/__mock/${path}${query && `?${query}`}`
}

/** The error of a request to the control API. */
export class ControlError extends Error {
  /** The status of the response; 0 where none arrived. */
  readonly status: number
  /** The error of each field, where the mock gave them. */
  readonly errors: Readonly<Record<string, string>>

  constructor(message: string, status: number, errors: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ControlError'
    this.status = status
    this.errors = errors
  }
}

/** The options of {@link request}. */
export interface RequestOptions {
  method?: string
  /** The body, as JSON; undefined for none. */
  input?: unknown
  /** The bytes of the body, in place of JSON. */
  file?: Blob | undefined
  headers?: Readonly<Record<string, string>>
  params?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

const noResponse = 'The mock does not respond. Please check that it is running.'

/** The path of a resource in the control API, below `/__mock`. */
export function dbPath(name: string): string {
  return `db/${encodeURIComponent(name)}`
}
