import { ask, type State } from './control.ts'
import { element, fill, part } from './dom.ts'

const profiles = ['slow-3g', 'flaky', 'offline', 'down', 'rate-limited']

/** Shows the switches of the mock. Calls `onChange` when the data may have changed. */
export async function showSwitches(state: State, onChange: () => void): Promise<void> {
  const has = (name: string): boolean => state.behaviours.some((one) => one.name === name)
  const press =
    (path: string, method = 'POST', input?: unknown) =>
    (): void => {
      void ask(path, method, input).then(onChange)
    }
  const button = (name: string, title: string, click: () => void): HTMLElement =>
    element('button', { type: 'button', title, click }, name)
  const name = nextName(state)
  const parts: HTMLElement[] = [
    button('Reset', 'Reset data, rules, ids and log', press('reset')),
    button('Snapshot', `Save the data as ${name}`, press('snapshots', 'POST', { name })),
  ]
  if (state.snapshots.length > 0) {
    parts.push(
      choice('Restore', state.snapshots, (name) =>
        press(`snapshots/${encodeURIComponent(name)}`)(),
      ),
    )
  }
  if (has('delay')) {
    const { isOn } = await ask<{ isOn: boolean }>('delay')
    const box = element('input', {
      type: 'checkbox',
      checked: isOn,
      change: () => press('delay', 'PUT', { isOn: box.checked })(),
    })
    parts.push(element('label', {}, box, 'Delays'))
  }
  if (has('faults')) {
    parts.push(
      choice('Faults', profiles, (profile) => press('faults/profile', 'PUT', { profile })()),
    )
    parts.push(button('No faults', 'End all faults', press('faults/rules', 'DELETE')))
  }
  if (has('scenarios')) parts.push(await chooseScenario(onChange))
  fill(part('switches'), ...parts)
}

async function chooseScenario(onChange: () => void): Promise<HTMLElement> {
  const { active, scenarios } = await ask<{ active: string | null; scenarios: string[] }>(
    'scenarios',
  )
  const option = (name: string | null): HTMLElement =>
    element('option', { value: name ?? '', selected: name === active }, name ?? 'none')
  const select = element(
    'select',
    {
      'aria-label': 'Scenario',
      change: () => void ask('scenarios', 'PUT', select.value || null).then(onChange),
    },
    ...[null, ...scenarios].map(option),
  )
  return element('label', {}, 'Scenario', select)
}

/** A select element that triggers an action and shows its title again. */
function choice(title: string, names: string[], choose: (name: string) => void): HTMLElement {
  const select = element(
    'select',
    {
      'aria-label': title,
      change: () => {
        choose(select.value)
        select.value = ''
      },
    },
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
