import { createMock, type FixtureSource, type Mock, type MockConfig } from 'fixtura'

/**
 * Creates a mock whose fixtures the page edits. `publish` passes the mock the new value of each changed
 * resource, which the mock merges with the changes by requests, as it merges a saved file.
 */
export function createLiveMock(data: Record<string, unknown>, config: MockConfig = {}): LiveMock {
  let listener: Parameters<FixtureSource['subscribe']>[0] | undefined
  const source: FixtureSource = {
    data,
    subscribe(given) {
      listener = given
      return () => (listener = undefined)
    },
  }
  return {
    mock: createMock({ ...config, fixtures: source }),
    publish: (changed) => listener?.(changed),
  }
}

/** A mock and the function that changes its fixtures. */
export interface LiveMock {
  mock: Mock
  publish(changed: Record<string, unknown>): void
}

/** A request of the page to its mock, and the answer. */
export interface Exchange {
  method: string
  path: string
  status: number
  statusText: string
  headers: [name: string, value: string][]
  body: string
  milliseconds: number
  /** Why there is no answer. */
  error?: string
}

/** Sends a request to a mock. A dropped connection is an exchange with an error. */
export async function send(
  mock: Mock,
  path: string,
  init: { method: string; headers: [name: string, value: string][]; body?: string },
): Promise<Exchange> {
  const start = performance.now()
  const since = (): number => performance.now() - start
  const { method } = init
  try {
    const response = await mock.fetch(path, init)
    const { status, statusText } = response
    const body = await response.text()
    const headers = [...response.headers]
    return { method, path, status, statusText, headers, body, milliseconds: since() }
  } catch (error) {
    const empty = { status: 0, statusText: '', headers: [], body: '' }
    return { method, path, ...empty, milliseconds: since(), error: (error as Error).message }
  }
}
