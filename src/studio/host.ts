import { fetchFromPage } from './link/fetch-from-page.ts'

/**
 * Sends a request to the mock: with `fetch` or, if the mock runs in another page of the same origin, over a
 * channel to that page.
 */
export function send(url: string, init: RequestInit): Promise<Response> {
  return isLinked ? fetchFromPage(url, init) : fetch(url, init)
}

const { linked, reference } = document.documentElement.dataset

/** Whether the mock runs in another page of the same origin, so that there are no URLs to link to. */
export const isLinked: boolean = linked === 'true'

/** Whether the mock has a page with the API reference. */
export const hasReference: boolean = reference === 'true'
