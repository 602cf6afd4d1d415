import { configError } from '../../core/errors/mock-error.ts'
import type { WorkerSettings } from './options.ts'
import type { ObjectNamespace, WorkerEnv } from './runtime.ts'

/** The calls between the Durable Objects of a worker: one a session, and the shared mock, which lists them. */
export function createCalls({ binding }: Pick<WorkerSettings, 'binding'>, env: WorkerEnv): Calls {
  const send = (name: string, call: string, body: string): Promise<Response> =>
    objectOf(env, binding, name).fetch(
      new Request('http://fixtura.internal/', {
        method: 'POST',
        headers: { [callHeader]: call },
        body: JSON.stringify(body),
      }),
    )
  return {
    toShared: (call, name) => send('', call, name),
    end: async (name) => void (await send(name, 'end', name)),
  }
}

/** The result of {@link createCalls}. */
export interface Calls {
  /** Notifies the object of the shared mock that a session starts (`admit`), is in use, or ends (`leave`). */
  toShared(call: 'admit' | 'use' | 'leave', name: string): Promise<Response>
  end(name: string): Promise<void>
}

/** The Durable Object of a session; an empty name is the shared mock. @throws MockError when the binding is missing */
export function objectOf(
  env: WorkerEnv,
  binding: string,
  name: string,
): { fetch(request: Request): Promise<Response> } {
  const objects = env[binding] as ObjectNamespace | undefined
  if (typeof objects?.idFromName !== 'function') {
    throw configError(
      `Failed to find the Durable Objects: there is no binding "${binding}". Please add it to "durable_objects" in wrangler.jsonc.`,
    )
  }
  return objects.get(objects.idFromName(name === '' ? 'shared' : `session ${name}`))
}

/** The header that the worker sets to the name of the session; an empty value means the shared mock. */
export const sessionNameHeader = 'x-fixtura-session'

/** The header of a call between Durable Objects. The worker removes the header from the requests of clients. */
export const callHeader = 'x-fixtura-call'
