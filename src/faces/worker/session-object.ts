import { withControls } from '../../core/control/control.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Access, Answerer } from '../../core/http/contract/answerer.ts'
import { createAccessCheck } from '../../core/http/cors/access.ts'
import type { Json } from '../../core/json/json.ts'
import { toOrigins } from '../web/origins.ts'
import { type AlarmClock, createAlarmClock } from './alarm-clock.ts'
import { callHeader, createCalls, sessionNameHeader } from './calls.ts'
import { toControls } from './control-parts.ts'
import { type Dump, type Items, openItems } from './items.ts'
import type { WorkerSettings } from './options.ts'
import type { DurableObject, DurableObjectClass, ObjectState, WorkerEnv } from './runtime.ts'
import { createSessionList } from './sessions.ts'
import { type StoredMock, openMock } from './stored-mock.ts'
import { toAsked, toProblemResponse, toSocketResponse, toWebResponse } from './web.ts'

/**
 * Creates the class of the Durable Objects: one object for each session, and one for the shared mock, whose session
 * name is empty. The first request creates an object; later requests create a discarded object from its storage.
 */
export function createObjectClass(
  settings: WorkerSettings,
  bundled: () => ReadonlyMap<string, Json>,
): DurableObjectClass {
  const controls = toControls(settings.parts)
  return class implements DurableObject {
    readonly #state: ObjectState
    readonly #env: WorkerEnv
    readonly #items: Items
    readonly #clock: AlarmClock
    #open: Open | undefined
    #error: unknown

    constructor(state: ObjectState, env: WorkerEnv) {
      this.#state = state
      this.#env = env
      this.#items = openItems(state.storage.sql)
      this.#clock = createAlarmClock(state.storage)
    }

    async fetch(request: Request): Promise<Response> {
      const response = await this.#answer(request)
      await discardRest(request)
      return response
    }

    async #answer(request: Request): Promise<Response> {
      const call = request.headers.get(callHeader)
      if (call !== null) return this.#answerCall(call, (await request.json()) as string)
      const name = request.headers.get(sessionNameHeader) ?? ''
      const refusal = await this.#admit(name)
      if (refusal) return refusal
      let open: Open
      try {
        open = this.#enter()
      } catch (error) {
        // A wrong configuration shows with the first request, as the fixtures of a session may be uploaded.
        if (error instanceof MockError) return toProblemResponse(error)
        throw error
      }
      this.#clock.callDue()
      open.lifetime?.use()
      const response = await open.answerer.handle(toAsked(request), open.access)
      this.#save(open)
      return response.socket
        ? toSocketResponse(response, () => this.#save(open))
        : toWebResponse(response, request.signal)
    }

    /** Stores changes. The session may have ended in the meantime, and with it its storage. */
    #save(open: Open): void {
      if (this.#open === open) open.save()
      if (this.#error !== undefined) this.#fail()
    }

    async alarm(): Promise<void> {
      // The alarm of a session that has ended in the meantime.
      if (!this.#hasSession()) return
      const open = this.#enter()
      this.#clock.callDue()
      open.save()
      if (this.#error !== undefined) this.#fail()
    }

    /** Registers a new session at the shared mock, and copies the data of the shared mock into the session. */
    async #admit(name: string): Promise<Response | undefined> {
      if (this.#hasSession()) return undefined
      if (name === '') return this.#begin('')
      return this.#state.blockConcurrencyWhile(async () => {
        if (this.#hasSession()) return undefined
        const answered = await createCalls(settings, this.#env).toShared('admit', name)
        return answered.ok ? this.#begin(name, await answered.json()) : answered
      })
    }

    /** Stores the name of the session, and the data that the session begins with. */
    #begin(name: string, data: Dump = []): undefined {
      this.#items.create(data)
      this.#items.put('setting', 'session', name)
    }

    /** Whether the session has begun, and not ended. */
    #hasSession(): boolean {
      return this.#open !== undefined || this.#items.exists()
    }

    #enter(): Open {
      return (this.#open ??= this.#create())
    }

    #create(): Open {
      const name = this.#items.get('setting', 'session') as string
      const calls = createCalls(settings, this.#env)
      const stored = openMock({
        settings,
        bundled: bundled(),
        items: this.#items,
        clock: this.#clock,
        sessions: name === '' ? createSessionList(this.#items, calls) : undefined,
        onError: (error) => (this.#error = error),
      })
      const token = settings.tokenOf(this.#env)
      const origins = toOrigins(settings.corsOrigin)
      return {
        ...stored,
        answerer: withControls(stored.mock, controls),
        access: {
          origins,
          check: createAccessCheck(() => true, origins),
          root: '/',
          hasSockets: true,
          ...(token !== undefined && { token }),
        },
        lifetime:
          name === ''
            ? undefined
            : createLifetime({
                items: this.#items,
                clock: this.#clock,
                ttl: settings.sessions.ttl,
                onUse: () => void calls.toShared('use', name).catch(() => undefined),
                // The next process tries again.
                onEnd: () =>
                  void calls
                    .toShared('leave', name)
                    .then(() => this.#end())
                    .catch(() => undefined),
              }),
      }
    }

    async #answerCall(call: string, name: string): Promise<Response> {
      if (call === 'end') {
        await this.#end()
        return new Response(null, { status: 204 })
      }
      await this.#admit('')
      return createSessionList(this.#items, createCalls(settings, this.#env)).answer(
        call,
        name,
        settings.sessions.limit,
      )
    }

    /** Removes all that the session has stored; the next request begins a new session. */
    async #end(): Promise<void> {
      this.#open?.mock.end()
      this.#open = undefined
      this.#clock.clear()
      await this.#state.storage.deleteAlarm()
      await this.#state.storage.deleteAll()
    }

    /** Discards the object and the response, because the storage lacks a change that the memory has. */
    #fail(): never {
      this.#state.abort(`Failed to store a change: ${String(this.#error)}`)
      throw this.#error
    }
  }
}

/** The mock of a Durable Object with the parts that handle a request. */
interface Open extends StoredMock {
  answerer: Answerer
  access: Access
  lifetime: Lifetime | undefined
}

/**
 * Ends a session when its `ttl` has passed since its last request, whose time is stored once in a tenth of the
 * `ttl`: reads write nothing, and a session may be kept a tenth longer.
 */
function createLifetime({ items, clock, ttl, onUse, onEnd }: LifetimeOptions): Lifetime {
  let stored = Number(items.get('setting', 'used') ?? 0)
  let used = stored
  const grain = ttl / 10

  function check(): void {
    const left = Math.max(used, stored + grain) + ttl - clock.now()
    if (left <= 0) onEnd()
    else clock.after(left, check, true)
  }

  function use(): void {
    used = clock.now()
    if (used - stored < grain) return
    stored = used
    items.put('setting', 'used', stored)
    onUse()
  }

  if (stored === 0) use()
  check()
  return { use }
}

interface Lifetime {
  /** Notes a request. */
  use(): void
}

interface LifetimeOptions {
  items: Items
  clock: AlarmClock
  /** In milliseconds. */
  ttl: number
  /** Called when the stored time of the last request changes. */
  onUse(): void
  onEnd(): void
}

/** Reads the rest of a short body: `workerd` closes the connection of a client that is still sending. */
async function discardRest({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed) return
  let left = 1_000_000
  // A client that has ended its request needs no response.
  const discard = new WritableStream<Uint8Array>({
    write({ length }, controller) {
      left -= length
      if (left < 0) controller.error()
    },
  })
  await body.pipeTo(discard).catch(() => undefined)
}
