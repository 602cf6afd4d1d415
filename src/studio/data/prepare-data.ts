import { go, hrefOf, place } from '../app/router.ts'
import { findResource, state } from '../app/state.ts'
import { toListing, toWhere } from './listing.ts'
import { prepareWindow } from './use-window.ts'

/**
 * Fetches the records that the current place shows before the page is rendered, so that the first frame has
 * the records.
 */
export async function prepareData(): Promise<void> {
  const [first] = state.value?.resources ?? []
  if (first && place.value.view === '') go(hrefOf('data', first.name), true)
  const { view, name, params } = place.value
  if (view !== 'data' || findResource(name)?.kind !== 'collection') return
  const listing = toListing(params)
  await prepareWindow(name, { where: toWhere(listing, []), sort: listing.sort })
}
