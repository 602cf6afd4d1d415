import { askState, type Resource, type State } from './control.ts'
import { element, fill, part } from './dom.ts'
import { showLog } from './log.ts'
import { showRequests } from './request.ts'
import { showSwitches } from './switches.ts'
import { showResource } from './table.ts'

let state: State = { base: '', dialect: '', resources: [], behaviours: [], snapshots: [] }
let current: string | undefined
let reload = (): void => {}

/** Asks anew what there is, and shows it. */
async function refresh(): Promise<void> {
  state = await askState()
  void showSwitches(state, () => void refresh())
  const resource = state.resources.find(({ name }) => name === current)
  const [first] = state.resources
  if (!first) return part('data').replaceChildren('There is no fixture yet.')
  if (!resource) return open(first.name)
  showNavigation()
  reload()
}

/** Shows another resource, or those of its records that have a value. */
function open(name: string, filter?: [string, string]): void {
  const resource = state.resources.find((one) => one.name === name)
  if (!resource) return
  current = name
  showNavigation()
  const offer = showRequests(resource, state.dialect)
  reload = showResource(resource, state, { open, offer }, filter)
}

function showNavigation(): void {
  fill(part('resources'), element('ul', {}, ...state.resources.map(toItem)))
}

function toItem({ name, url, kind, count }: Resource): HTMLElement {
  const link = element(
    'a',
    {
      href: url,
      'aria-current': name === current ? 'page' : undefined,
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

/** Follows what others write, but not for every one of a burst. */
function follow(): void {
  if (waiting) return
  waiting = true
  setTimeout(() => {
    waiting = false
    void refresh()
  }, 200)
}

void refresh()
showLog(follow)
