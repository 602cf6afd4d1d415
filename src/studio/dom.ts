/** The attributes and event listeners with which `element` creates an HTML element. */
type Given = Record<string, string | boolean | number | undefined | ((event: Event) => void)>

/** Creates an element; strings become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  given: Given = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(key, value)
    else made.setAttribute(key, String(value))
  }
  made.append(...children)
  return made
}

/**
 * Replaces the children of an element. Equal children stay in the document, so that a user can go on with
 * them while requests arrive. A replaced child passes the focus to the same position in its successor.
 */
export function fill(parent: HTMLElement, ...children: HTMLElement[]): void {
  const before = [...parent.children]
  for (const [at, child] of children.entries()) {
    const old = before[at]
    if (!old) parent.append(child)
    else if (!old.isEqualNode(child)) replace(old, child)
  }
  for (const old of before.slice(children.length)) old.remove()
}

function replace(old: Element, next: Element): void {
  const at = placesIn(old).findIndex((one) => one === document.activeElement)
  old.replaceWith(next)
  placesIn(next)[at]?.focus()
}

/** An element and its descendants that can have the focus. */
function placesIn(whole: Element): HTMLElement[] {
  const all = [whole, ...whole.querySelectorAll('a, button, input, select')]
  return all as HTMLElement[]
}

/** The part of the page with this id. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`Failed to find the part "${id}" of the page.`)
  return found
}

const notices = new Map<string, string>()

/** Shows an error message about a subject; removes it without a message. */
export function tell(about: string, message = ''): void {
  notices.set(about, message)
  part('notice').textContent = [...notices.values()].filter((one) => one !== '').join(' ')
}
