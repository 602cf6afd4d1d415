/** What an element gets: properties, attributes with a dash in their name, and listeners. */
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
    else if (value === true) made.setAttribute(key, '')
    else made.setAttribute(key, String(value))
  }
  made.append(...children)
  return made
}

/** Puts other children into an element; the keyboard stays at the place where it was. */
export function fill(parent: HTMLElement, ...children: (Node | string)[]): void {
  const places = (): HTMLElement[] => [
    ...parent.querySelectorAll<HTMLElement>('a, button, input, select'),
  ]
  const at = places().findIndex((one) => one === document.activeElement)
  parent.replaceChildren(...children)
  places()[at]?.focus()
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
