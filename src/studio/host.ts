import { fetchFromPage } from './link/fetch-from-page.ts'
import { panelKey, type StudioPanel } from './link/protocol.ts'

/** The panel of an application's page that the studio fills; undefined where the studio is a page of its own. */
export const panel: StudioPanel | undefined = (globalThis as { [panelKey]?: StudioPanel })[panelKey]

/** The tree that the studio is a part of: its own document, or the shadow root of the panel. */
export const root: Document | ShadowRoot = panel?.root ?? document

/** The element that has the theme. */
export const frame: HTMLElement = (panel?.root.host as HTMLElement) ?? document.documentElement

/**
 * Sends a request to the mock: with `fetch` or, if the mock runs in a page of the same origin, over a
 * channel to that page.
 */
export function send(url: string, init: RequestInit): Promise<Response> {
  return isLinked ? fetchFromPage(url, init, panel?.page) : fetch(url, init)
}

const { linked, reference } = document.documentElement.dataset

/** Whether the mock runs in a page of the same origin, so that there are no URLs to link to. */
export const isLinked: boolean = panel !== undefined || linked === 'true'

/** Whether the mock has a page with the API reference. */
export const hasReference: boolean = panel === undefined && reference === 'true'

/** The parameters of the studio's URL: the token of a server beyond localhost, and the session to show. */
export const pageParams: URLSearchParams = new URLSearchParams(panel ? '' : location.search)
