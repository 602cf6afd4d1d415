import { onTestFinished, vi } from 'vitest'

/** Defines what the modules of the page read from the browser, whose requests `fetch` answers. */
export function stubPage(fetch: (url: string, init: RequestInit) => Promise<Response>): void {
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('location', new URL('http://localhost:3000'))
  vi.stubGlobal('fetch', fetch)
  onTestFinished(() => void vi.unstubAllGlobals())
}
