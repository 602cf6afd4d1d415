import { headersField } from './api.ts'
import { addressOf, askState, type Resource, type State } from './control.ts'
import { element, fill, part, tell } from './dom.ts'
import { showLog } from './log.ts'
import { showRequests } from './request.ts'
import { showSwitches } from './switches.ts'
import { showResource } from './table.ts'

/** What the page stores in `history.state`, so that Back and Forward show the same resource and filter. */
interface Place {
  name: string
  filter?: [field: string, value: string] | undefined
}

let state: State = { base: '', dialect: '', resources: [], behaviours: [], snapshots: [] }
let shown: Resource | undefined
let reload = (): void => {}

/** Fetches the state again and updates the page. */
async function refresh(): Promise<void> {
  state = await askState()
  void showSwitches(state, () => void refresh())
  if (!state.resources.some(({ name }) => name === shown?.name)) return show()
  showNavigation()
  reload()
}

/** Shows another resource and adds a history entry. */
function open(name: string, filter?: Place['filter']): void {
  history.pushState({ name, filter } satisfies Place, '')
  show()
}

/** Shows the resource of the history entry; the first resource if that is missing. */
function show(): void {
  const place = history.state as Place | null
  const found = state.resources.find(({ name }) => name === place?.name)
  shown = found ?? state.resources[0]
  showNavigation()
  if (!shown) {
    part('data').replaceChildren('No fixtures yet.')
    part('request').replaceChildren()
    return
  }
  const { offer, choose } = showRequests(shown, state.dialect)
  reload = showResource(shown, state, { open, offer, choose }, found && place?.filter)
}

function showNavigation(): void {
  document.title = shown ? `${shown.path} – Fixtura` : 'Fixtura'
  fill(part('resources'), ...state.resources.map(toItem))
}

function toItem({ name, url, kind, count }: Resource): HTMLElement {
  const link = element(
    'a',
    {
      href: url,
      'aria-current': name === shown?.name ? 'page' : undefined,
      click: (event) => {
        event.preventDefault()
        open(name)
      },
    },
    name,
    element('span', {}, kind === 'collection' ? String(count) : kind),
  )
  return element('li', {}, link)
}

let waiting = false

/** Refreshes the page after a change; changes within 200 ms share one refresh. */
function follow(): void {
  if (waiting) return
  waiting = true
  setTimeout(() => {
    waiting = false
    void refresh()
  }, 200)
}

part('docs').setAttribute('href', addressOf('docs'))
addEventListener('popstate', show)
headersField.addEventListener('change', () => reload())
addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  tell('control', event.reason instanceof Error ? event.reason.message : String(event.reason))
})
void refresh()
showLog(follow)
