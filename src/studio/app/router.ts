import { type Signal, signal } from '@preact/signals'
import { decode } from '../../core/url/pattern.ts'
import { panel } from '../host.ts'
import { remember, remembered } from '../parts/remember.ts'

/**
 * A place in the page: a view and what the view shows, as the part of the URL after `#` says, for example
 * `#/data/posts?sort=-views&record=3`.
 */
export interface Place {
  view: string
  /** The resource or the request that is shown; empty for none. */
  name: string
  params: Readonly<Record<string, string>>
}

/** The link to the place of a panel, which leaves the URL to the application. */
let panelHref = panel && remembered('place', '')

/** The place that the page shows. */
export const place: Signal<Place> = signal(parse(panelHref ?? location.hash))

/** The URL of a place; parameters without a value are left out. */
export function hrefOf(
  view: string,
  name = '',
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given as [string, string][]).toString()
  return `#/${view}${name && `/${encodeURIComponent(name)}`}${query && `?${query}`}`
}

/** Goes to a place. `isReplaced` changes the entry of the history instead of adding one. */
export function go(href: string, isReplaced = false): void {
  if (href === (panelHref ?? location.hash)) return
  if (panelHref !== undefined) remember('place', (panelHref = href))
  else if (isReplaced) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  place.value = parse(href)
}

/** Changes parameters of the current place; undefined removes a parameter. */
export function setParams(
  changed: Readonly<Record<string, string | undefined>>,
  isReplaced = false,
): void {
  const { view, name, params } = place.value
  go(hrefOf(view, name, { ...params, ...changed }), isReplaced)
}

/** Shows the place of the URL when the browser goes back or forward, or a link is followed. */
export function followHistory(): void {
  if (!panel) return addEventListener('popstate', () => (place.value = parse(location.hash)))
  panel.root.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')?.getAttribute('href') ?? ''
    if (!link.startsWith('#/') || event.defaultPrevented) return
    event.preventDefault()
    go(link)
  })
}

function parse(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s, 2)
  const [view = '', name = ''] = path.split('/').map(decode)
  return { view, name, params: Object.fromEntries(new URLSearchParams(query)) }
}
