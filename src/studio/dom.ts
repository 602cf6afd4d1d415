/** What an element gets: attributes, and listeners. */
type Given = Record<string, string | boolean | number | undefined | ((event: Event) => void)>

/** Makes an element; texts stay texts. */
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
 * Puts other children into an element. One that would be as before stays, so that whoever is about to
 * press or to choose there can go on while requests come; elsewhere the keyboard stays at its place.
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

/** Where the keyboard may be in an element. */
function placesIn(whole: Element): HTMLElement[] {
  const all = [whole, ...whole.querySelectorAll('a, button, input, select')]
  return all as HTMLElement[]
}

/** The part of the page with that id. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`Failed to find the part "${id}" of the page.`)
  return found
}

const notices = new Map<string, string>()

/** Tells the reader what went wrong with something, or that nothing is wrong with it any more. */
export function tell(about: string, message = ''): void {
  notices.set(about, message)
  part('notice').textContent = [...notices.values()].filter((one) => one !== '').join(' ')
}
