import { toMessage } from '../../core/errors/error-details.ts'
import type { MockResponse } from '../../core/http/contract/messages.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { homeFiles } from '../../studio/home-files.ts'
import { panelKey, type StudioPanel } from '../../studio/link/protocol.ts'
import { remember, remembered } from '../../studio/parts/remember.ts'
import { answerHome } from '../web/home.ts'

/** Answers the request for a file of the studio, as the Content Security Policy of a page allows `'self'` alone. */
export async function answerFile(path: string): Promise<MockResponse> {
  const file = await answerHome(path, (name) => homeFiles[name])
  return file ?? { status: 404, headers: [], body: null }
}

/**
 * Shows the studio of a page, which `name` identifies, as a panel below the page: closed at first, else as the
 * person left it. The studio is loaded when the panel is opened. Returns a function that removes the panel.
 */
export function showPanel(name: string, keys: string): () => void {
  shown ??= createPanel(name)
  shown.page = name
  shown.shortcut = toShortcut(keys)
  shown.handle.title = `Studio of the mock (${keys})`
  document.documentElement.append(shown.root.host)
  addEventListener('keydown', pressKey, true)
  if (state.isOpen) void open()
  return () => {
    shown?.root.host.remove()
    removeEventListener('keydown', pressKey, true)
  }
}

/** The panel of the page, which all calls share, as the studio is loaded once. */
let shown: Panel | undefined

interface Panel extends StudioPanel {
  shortcut: (event: KeyboardEvent) => boolean
  handle: HTMLButtonElement
  box: HTMLElement
}

/** The state of the panel that the browser stores; the height is in pixels. */
const state = remembered('panel', { isOpen: false, height: 420 })

function createPanel(page: string): Panel {
  const root = document.createElement('fixtura-panel').attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [':host { all: initial }', homeFiles['style.css'] ?? '', style].map(
    (text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      return sheet
    },
  )
  const handle = button('handle', 'Open the studio of the mock', toggle)
  const box = document.createElement('section')
  box.className = 'panel'
  box.setAttribute('aria-label', 'Studio of the mock')
  box.hidden = true
  const app = document.createElement('div')
  app.id = 'app'
  // A press beside its controls moves the focus into the panel, which the keys of the studio need.
  app.tabIndex = -1
  box.append(createEdge(box), button('close', 'Close the studio', toggle), app)
  root.append(handle, box)
  // The keys of the studio are no keys of the application.
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.host.addEventListener(type, (event) => event.stopPropagation())
  return { root, page, handle, box, shortcut: () => false }
}

function button(name: string, label: string, press: () => void): HTMLButtonElement {
  const node = document.createElement('button')
  node.type = 'button'
  node.className = name
  node.ariaLabel = label
  node.addEventListener('click', press)
  return node
}

/** Creates the upper edge of the panel, which changes its height by a drag and by the arrow keys. */
function createEdge(box: HTMLElement): HTMLElement {
  const edge = document.createElement('div')
  edge.className = 'edge'
  edge.role = 'separator'
  edge.tabIndex = 0
  edge.ariaLabel = 'Height of the studio'
  edge.ariaOrientation = 'horizontal'
  const resize = (height: number): void => {
    state.height = Math.round(Math.max(160, Math.min(height, innerHeight - 40)))
    edge.ariaValueNow = String(state.height)
    box.style.height = `${state.height}px`
    remember('panel', state)
  }
  edge.addEventListener('pointerdown', ({ pointerId }) => edge.setPointerCapture(pointerId))
  edge.addEventListener('pointermove', ({ pointerId, clientY }) => {
    if (edge.hasPointerCapture(pointerId)) resize(innerHeight - clientY)
  })
  edge.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowUp' || key === 'ArrowDown')
      resize(state.height + (key === 'ArrowUp' ? 20 : -20))
  })
  resize(state.height)
  return edge
}

async function open(): Promise<void> {
  if (!shown) return
  shown.box.hidden = false
  shown.handle.hidden = true
  Object.assign(globalThis, { [panelKey]: shown })
  const url = `${location.origin}${controlPath}/home/app.js`
  await import(/* @vite-ignore */ /* webpackIgnore: true */ url).catch((error: unknown) => {
    const app = shown?.root.getElementById('app')
    if (app)
      app.textContent = `Failed to load the studio: ${toMessage(error)}. Please check that the Content Security Policy of the page allows scripts of its own origin ('self').`
  })
}

let focused: Element | null = null

function toggle(): void {
  if (!shown) return
  state.isOpen = !state.isOpen
  remember('panel', state)
  if (state.isOpen) {
    focused = document.activeElement
    void open()
    shown.root.getElementById('app')?.focus()
    return
  }
  shown.box.hidden = true
  shown.handle.hidden = false
  if (focused instanceof HTMLElement) focused.focus()
}

function pressKey(event: KeyboardEvent): void {
  if (!shown?.shortcut(event)) return
  event.preventDefault()
  event.stopPropagation()
  toggle()
}

/** Returns the check of a combination of keys such as `Alt+M`, in which a letter names a key of the US layout. */
function toShortcut(keys: string): (event: KeyboardEvent) => boolean {
  const parts = keys.split('+')
  const main = parts.pop() ?? ''
  const has = (name: string): boolean => parts.includes(name)
  return ({ key, code, altKey, ctrlKey, metaKey, shiftKey }) =>
    (code === `Key${main.toUpperCase()}` || key.toLowerCase() === main.toLowerCase()) &&
    altKey === has('Alt') &&
    ctrlKey === has('Ctrl') &&
    metaKey === has('Meta') &&
    shiftKey === has('Shift')
}

const style = `
.panel {
  position: fixed; inset: auto 0 0; z-index: 2147483000; display: flex; flex-direction: column;
  max-height: 85dvh; background: var(--ground); border-top: 1px solid var(--edge); box-shadow: var(--shade) }
[hidden] { display: none !important }
#app { flex: 1; min-height: 0; height: auto; outline: 0 }
.panel > .edge { height: 5px; flex: none; cursor: ns-resize; touch-action: none; background: var(--soft) }
.panel > .edge:is(:hover, :focus-visible) { background: var(--accent); outline: 0 }
button.handle {
  position: fixed; inset: auto 12px 12px auto; z-index: 2147483000; width: 32px; height: 32px; padding: 0;
  border-radius: 9px; border: 0; background: var(--accent); opacity: 0.75; box-shadow: var(--shade) }
button.handle:hover { opacity: 1; background: var(--accent) }
button.handle::before { content: ''; width: 14px; height: 12px; border: solid var(--on-accent); border-width: 2px 0 }
.panel > .close { position: absolute; inset: 10px 10px auto auto; z-index: 2; width: 28px; min-height: 28px; padding: 0; border: 0; background: none }
.panel > .close::before { content: '×'; font-size: 20px; line-height: 1; color: var(--dim) }
.top { padding-right: 44px }
`
