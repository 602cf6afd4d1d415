import { ask, type State } from './control.ts'
import { element, fill, part } from './dom.ts'

const profiles = ['slow-3g', 'flaky', 'offline', 'down', 'rate-limited']

/** Shows what the mock can be switched to; `onChange` is called when its data may be another. */
export async function showSwitches(state: State, onChange: () => void): Promise<void> {
  const has = (name: string): boolean => state.behaviours.some((one) => one.name === name)
  const press =
    (path: string, method = 'POST', input?: unknown) =>
    (): void => {
      void ask(path, method, input).then(onChange)
    }
  const button = (title: string, click: () => void): HTMLElement =>
    element('button', { type: 'button', click }, title)
  const parts: HTMLElement[] = [
    button('Reset', press('reset')),
    button('Snapshot', () => press('snapshots', 'POST', { name: nextName(state) })()),
  ]
  if (state.snapshots.length > 0) {
    parts.push(
      choice('Restore', state.snapshots, (name) =>
        press(`snapshots/${encodeURIComponent(name)}`)(),
      ),
    )
  }
  if (has('delay')) {
    const box = element('input', {
      type: 'checkbox',
      change: () => press('delay', 'PUT', { isOn: box.checked })(),
    })
    void setBox(box)
    parts.push(element('label', {}, box, 'Delays'))
  }
  if (has('faults')) {
    parts.push(
      choice('Faults', profiles, (profile) => press('faults/profile', 'PUT', { profile })()),
    )
    parts.push(button('No faults', press('faults/rules', 'DELETE')))
  }
  if (has('scenarios')) parts.push(await chooseScenario(onChange))
  fill(part('switches'), ...parts)
}

async function setBox(box: HTMLInputElement): Promise<void> {
  box.checked = (await ask<{ isOn: boolean }>('delay')).isOn
}

async function chooseScenario(onChange: () => void): Promise<HTMLElement> {
  const { active, scenarios } = await ask<{ active: string | null; scenarios: string[] }>(
    'scenarios',
  )
  const select = choice('Scenario', ['none', ...scenarios], (name) => {
    void ask('scenarios', 'PUT', name === 'none' ? null : name).then(onChange)
  })
  select.prepend('Scenario')
  const list = select.querySelector('select')
  if (list) list.value = active ?? 'none'
  return select
}

/** A list to choose from, which shows its title until something is chosen. */
function choice(title: string, names: string[], choose: (name: string) => void): HTMLElement {
  const select = element(
    'select',
    { 'aria-label': title, change: () => select.value !== '' && choose(select.value) },
    element('option', { value: '' }, `${title}…`),
    ...names.map((name) => element('option', { value: name }, name)),
  )
  return element('label', {}, select)
}

function nextName({ snapshots }: State): string {
  let number = snapshots.length + 1
  while (snapshots.includes(`snapshot-${number}`)) number++
  return `snapshot-${number}`
}
