import { headerOf, isBytes, type HeaderList } from '../../core/http/contract/messages.ts'
import { phraseOf } from '../../core/errors/status.ts'
import { type NativeAnswerer, readChunks } from './requests.ts'

type XhrClass = new () => XMLHttpRequest

/** Creates an `XMLHttpRequest` that is answered by the mock where the mock owns the URL, else by the real one. */
export function createXhr(answerer: NativeAnswerer, Real: XhrClass): XhrClass {
  function MockXhr(): XMLHttpRequest {
    const own = createOwn(answerer, () => {
      const real = new Real()
      for (const [name, value] of Object.entries(own.settings)) Reflect.set(real, name, value)
      for (const [type, listener] of own.listeners) real.addEventListener(type, listener)
      current = real
      return real
    })
    let current: object = own.members
    // The URL, which decides who answers, is known after the first settings.
    const handler: ProxyHandler<object> = {
      get(_, key) {
        const value: unknown = Reflect.get(current, key, current)
        return typeof value === 'function' ? (value.bind(current) as unknown) : value
      },
      set(_, key, value) {
        if (current === own.members && typeof key === 'string') own.settings[key] = value
        return Reflect.set(current, key, value, current)
      },
    }
    return new Proxy(own.members, handler) as XMLHttpRequest
  }
  const states = { UNSENT: 0, OPENED: 1, HEADERS_RECEIVED: 2, LOADING: 3, DONE: 4 }
  return Object.assign(MockXhr as unknown as XhrClass, states)
}

/** The members of a request that the mock answers, with what the application has set before `open`. */
interface Own {
  members: Record<string, unknown>
  settings: Record<string, unknown>
  listeners: [type: string, listener: (event: unknown) => void][]
}

/** Creates a request of the mock; `useReal` replaces it by a real one, which `open` is called on. */
function createOwn(answerer: NativeAnswerer, useReal: () => XMLHttpRequest): Own {
  const listeners: Own['listeners'] = []
  const headers: Record<string, string> = {}
  let request = { method: 'GET', url: '' }
  let controller = new AbortController()
  let received: HeaderList = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function fire(type: string): void {
    const { length } = String(members['responseText'])
    const event = {
      type,
      target: members,
      currentTarget: members,
      loaded: length,
      total: length,
      lengthComputable: true,
    }
    const handler = members[`on${type}`]
    if (typeof handler === 'function') handler.call(members, event)
    const called = listeners.filter(([name]) => name === type)
    for (const [, listener] of called) listener.call(members, event)
  }

  function setState(state: number): void {
    members['readyState'] = state
    fire('readystatechange')
  }

  function end(type: 'load' | 'error' | 'abort' | 'timeout'): void {
    if (timer !== undefined) clearTimeout(timer)
    if (type !== 'load') {
      controller.abort()
      Object.assign(members, { status: 0, statusText: '', responseText: '', response: '' })
      received = []
    }
    setState(4)
    fire(type)
    fire('loadend')
  }

  async function send(body: unknown): Promise<void> {
    const { signal } = controller
    const timeout = Number(members['timeout'])
    if (timeout > 0) timer = setTimeout(() => end('timeout'), timeout)
    const credentials = 'include'
    const answered = await answerer.answer({ ...request, headers, body, signal, credentials })
    if (signal.aborted) return
    const { url, response } = answered
    if (response.status === 0) return end('error')
    received = response.headers
    const { status } = response
    Object.assign(members, { status, statusText: phraseOf(status), responseURL: url })
    setState(2)
    const type = String(members['responseType'])
    await readChunks(response.body, (text) => {
      if (signal.aborted) return
      members['responseText'] += text
      setState(3)
      fire('progress')
    })
    if (signal.aborted) return
    members['response'] = toResult(type, String(members['responseText']), response.body)
    end('load')
  }

  const members: Record<string, unknown> = {
    readyState: 0,
    status: 0,
    statusText: '',
    response: '',
    responseText: '',
    responseType: '',
    responseURL: '',
    timeout: 0,
    withCredentials: false,
    upload: { addEventListener: () => undefined, removeEventListener: () => undefined },
    open(method: string, url: string, ...rest: []) {
      if (!answerer.owns(url)) return useReal().open(method, url, ...rest)
      request = { method, url }
      controller = new AbortController()
      setState(1)
    },
    setRequestHeader(name: string, value: string) {
      const key = name.toLowerCase()
      headers[key] = key in headers ? `${headers[key]}, ${value}` : value
    },
    overrideMimeType: () => undefined,
    getResponseHeader: (name: string) => headerOf(received, name) ?? null,
    getAllResponseHeaders: () =>
      received.map(([name, value]) => `${name.toLowerCase()}: ${value}\r\n`).join(''),
    send: (body?: unknown) =>
      void send(body).catch(() => controller.signal.aborted || end('error')),
    abort() {
      const isOpen = Number(members['readyState']) > 0 && Number(members['readyState']) < 4
      if (isOpen) end('abort')
    },
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      void listeners.push([type, listener]),
    removeEventListener(type: string, listener: unknown) {
      const at = listeners.findIndex(([name, one]) => name === type && one === listener)
      if (at >= 0) listeners.splice(at, 1)
    },
  }
  return { members, settings: {}, listeners }
}

/** The `response` by `responseType` (XMLHttpRequest §3.6.9). */
function toResult(type: string, text: string, body: unknown): unknown {
  if (type === 'json') {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return null
    }
  }
  if (type === 'arraybuffer' || type === 'blob') {
    const bytes = isBytes(body) ? body.slice() : Uint8Array.from([])
    return type === 'blob' ? new Blob([bytes.length > 0 ? bytes : text]) : bytes.buffer
  }
  return text
}
