import { type Check, checkOptions, isCallable, isObject, isText } from '../../core/errors/check.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { internalsOf, type MockInternals } from '../../core/http/contract/internals.ts'
import { persistChanges } from '../browser/persist.ts'
import { type AnyFetch, createAnswerer, createFetch } from './requests.ts'
import { createXhr } from './xhr.ts'

/**
 * Answers the requests of a React Native application from a mock: those of `fetch` and `XMLHttpRequest`. Resolves when
 * stored changes are restored. A second call replaces the mock.
 * @throws MockError when an option is invalid
 * @example
 * const mock = createMock({ fixtures, base: '/api' })
 * if (__DEV__) await startMock(mock, { persist: AsyncStorage })
 */
export async function startMock(mock: AnyMock, options: StartOptions = {}): Promise<Started> {
  const internals = internalsOf(mock, 'the mock of startMock')
  checkOptions('the options of startMock', options, startChecks)
  const { persist, origin } = options
  await stopCurrent()
  const runtime = globalThis as unknown as Runtime
  const real = { fetch: runtime.fetch, XMLHttpRequest: runtime.XMLHttpRequest }
  const endPersist = persist && (await persistTo(persist, internals))
  const answerer = createAnswerer(internals, origin)
  const wrap = (fetch: AnyFetch): AnyFetch => createFetch(answerer, fetch)
  runtime.fetch = wrap(real.fetch)
  if (real.XMLHttpRequest) runtime.XMLHttpRequest = createXhr(answerer, real.XMLHttpRequest)
  async function stop(): Promise<void> {
    if (stopCurrent !== stop) return
    stopCurrent = async () => {}
    answerer.stop()
    Object.assign(runtime, real)
    await endPersist?.()
  }
  stopCurrent = stop
  return { stop, wrap: wrap as unknown as Started['wrap'] }
}

/** Keeps changes in a storage whose functions return promises. Resolves to a function that saves the last and stops. */
async function persistTo(storage: AsyncStorage, mock: MockInternals): Promise<() => Promise<void>> {
  const key = `fixtura:${mock.base}`
  const stored = await storage.getItem(key)
  let saving: Promise<unknown> = Promise.resolve()
  const save = (next: () => Promise<void>): void => {
    saving = saving.then(next).catch((error: unknown) => {
      console.warn('Failed to save the changes made by requests.', error)
    })
  }
  const plain = {
    getItem: () => stored,
    setItem: (name: string, value: string) => save(() => storage.setItem(name, value)),
    removeItem: (name: string) => save(() => storage.removeItem(name)),
  }
  const end = persistChanges(mock, plain, key)
  return async () => {
    end()
    await saving
  }
}

/** The options of `startMock`. */
export interface StartOptions {
  /** Stores the changes made by requests and the logins, so that they survive a restart: AsyncStorage. @default not stored */
  persist?: AsyncStorage
  /** Mocks only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
}

/** The functions of `@react-native-async-storage/async-storage` that are used; other storages can have them too. */
export interface AsyncStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}

/** A started mock of an application. */
export interface Started {
  /** Stops the mock, so that requests go to the network again. */
  stop(): Promise<void>
  /**
   * Wraps a `fetch` that is imported, such as that of `expo/fetch`: while the mock runs, its requests are answered too.
   * @example export const fetch = started.wrap(expoFetch)
   */
  wrap<Fetch extends (...args: never[]) => Promise<unknown>>(fetch: Fetch): Fetch
}

const startChecks: Readonly<Record<keyof StartOptions, Check>> = {
  persist: [
    (value) =>
      isObject[0](value) &&
      ['getItem', 'setItem', 'removeItem'].every((name) =>
        isCallable[0]((value as Record<string, unknown>)[name]),
      ),
    'a storage with getItem, setItem and removeItem, such as AsyncStorage',
  ],
  origin: isText,
}

/** Stops the mock that runs. */
let stopCurrent = async (): Promise<void> => {}

/** The globals of React Native by which applications send requests. */
interface Runtime {
  fetch: AnyFetch
  XMLHttpRequest?: new () => XMLHttpRequest
}
