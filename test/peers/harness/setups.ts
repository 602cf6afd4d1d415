import type { Exchange } from './exchange.ts'
import type { Database } from './database.ts'
import { startJsonServer0 } from './json-server-0.ts'
import { startJsonServer1 } from './json-server-1.ts'
import { startJsonServer1Beta } from './json-server-1-beta.ts'
import { makeRequest0 } from './requests-0.ts'
import { makeRequest1 } from './requests-1.ts'
import { makeRequest1Beta } from './requests-1-beta.ts'
import type { Setup, State } from './run.ts'

/** The comparison with json-server 0.17.4; what it is compared with comes in. */
export function setup0(
  subject: Pick<Setup, 'startSubject'> & Partial<Pick<Setup, 'exceptions' | 'allowsState'>>,
): Setup {
  return {
    options: { isLoose: true, hasScalars: false },
    makeRequest: makeRequest0,
    startReference: (database) => startJsonServer0(database),
    readState: async (exchange) =>
      JSON.parse((await exchange({ method: 'GET', path: '/db' })).text) as State,
    exceptions: [],
    allowsState: () => false,
    randomId: /^[\w-]{7}$/,
    ...subject,
  }
}

/** The comparison with json-server 1.0.0-beta.15. */
export function setup1(
  subject: Pick<Setup, 'startSubject'> & Partial<Pick<Setup, 'exceptions' | 'allowsState'>>,
): Setup {
  return {
    options: { isLoose: false, hasScalars: true },
    makeRequest: makeRequest1,
    startReference: startJsonServer1,
    readState: readEach,
    exceptions: [],
    allowsState: () => false,
    randomId: /^[\w-]{11}$/,
    ...subject,
  }
}

/** The comparison with json-server 1.0.0-beta.3. */
export function setup1Beta(
  subject: Pick<Setup, 'startSubject'> & Partial<Pick<Setup, 'exceptions' | 'allowsState'>>,
): Setup {
  return {
    ...setup1(subject),
    makeRequest: makeRequest1Beta,
    startReference: startJsonServer1Beta,
    randomId: /^[\da-f]{4,}$/,
  }
}

async function readEach(exchange: Exchange, database: Database): Promise<State> {
  const names = Object.keys(database).filter((name) => name !== '$schema')
  const state: State = {}
  for (const name of names) {
    const path = `/${encodeURIComponent(name)}`
    const { status, text } = await exchange({ method: 'GET', path })
    state[name] = status === 200 ? parse(text) : { status }
  }
  return state
}

/** A resource that is a text comes without quotation marks. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
