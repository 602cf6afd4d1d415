import type { RuleState } from '../../core/http/rules/rule.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { isInForeground } from './foreground.ts'
import { openInBrowser } from './open.ts'
import { homeOf } from '../output/addresses.ts'
import { toPrintableLines } from '../output/printable.ts'
import type { Running } from './session.ts'

/** The keys that a running server listens to. */
export interface Keys {
  /** Each key with what it does, for people. */
  known: readonly (readonly [key: string, label: string])[]
  /** Gives the terminal back as it was. */
  close(): void
}

/**
 * Listens to single keys, where there is a terminal and the program has it: a program in the
 * background that touches the terminal is stopped by it.
 */
export async function listenToKeys(running: Running): Promise<Keys> {
  const { io } = running.terminal
  const { stdin } = io
  const isTerminal = stdin.isTTY === true && io.stdout.isTTY === true && !running.config.quiet
  if (!isTerminal || !stdin.setRawMode || !(await isInForeground(io.pid))) return none
  const setRaw = (isRaw: boolean): void => void stdin.setRawMode?.(isRaw)
  const press = async (key: string): Promise<void> => {
    try {
      await keys.find(([known]) => known === key)?.[2](running, setRaw)
    } catch (error) {
      const { complain, terminal } = running
      complain(terminal.errorPaint.red(toPrintableLines(toMessage(error))))
    }
  }
  const onText = (text: string): void => {
    for (const key of text) void press(key)
  }
  const onContinued = (): void => setRaw(true)
  io.on('SIGCONT', onContinued)
  stdin.setEncoding('utf8')
  stdin.on('data', onText)
  setRaw(true)
  stdin.resume()
  let isClosed = false
  return {
    known: keys.flatMap(([key, label, , behaviour]) =>
      label === '' || (behaviour !== undefined && !controlsOf(running, behaviour))
        ? []
        : [[key, label] as const],
    ),
    close() {
      if (isClosed) return
      isClosed = true
      io.off('SIGCONT', onContinued)
      stdin.off('data', onText)
      setRaw(false)
      stdin.pause()
    },
  }
}

const none: Keys = { known: [], close: () => undefined }

type Press = (running: Running, setRaw: (isRaw: boolean) => void) => void | Promise<void>

/**
 * What is pressed, what it does in a word (nothing for what every program does), how, and the
 * behaviour that there has to be for it.
 */
const keys: readonly (readonly [key: string, label: string, press: Press, behaviour?: string])[] = [
  ['r', 'reset', reset],
  ['s', 'snapshot', snapshot],
  ['d', 'delay on/off', toggleDelay],
  ['n', 'next scenario', nextScenario, 'scenarios'],
  ['o', 'open', open],
  ['q', 'quit', ({ stop }) => stop.ask()],
  ['\u0003', '', ({ stop }) => stop.ask()],
  ['\u0004', '', ({ stop }) => stop.ask()],
  ['\u001A', '', suspend],
  ['\r', '', ({ say }) => say('')],
]

function reset({ mock, say }: Running): void {
  mock.reset()
  say('Reset: the data is as the files have it.')
}

function snapshot({ mock, say }: Running): void {
  const name = new Date().toISOString().slice(0, 19)
  mock.snapshot(name)
  say(`Snapshot "${name}" is kept.`)
}

function open({ serving, complain }: Running): Promise<void> {
  return openInBrowser(homeOf(serving.url, serving.token), complain)
}

async function toggleDelay(running: Running): Promise<void> {
  const controls = controlsOf(running, 'delay')
  const before = (await controls?.['GET']?.(null)) as { isOn: boolean } | undefined
  if (!before) return toggleRule(running)
  await controls?.['PUT']?.({ isOn: !before.isOn })
  running.say(before.isOn ? 'Delay: off.' : 'Delay: on.')
}

/** Where nothing is said of delays, every answer takes a second, until it is said again or all is reset. */
function toggleRule({ mock, say }: Running): void {
  const isOurs = ({ on, isDelayed }: RuleState): boolean => on === '* *' && isDelayed
  const before = mock.rules.list().find(isOurs)
  if (before) mock.rules.end(before.number)
  else mock.on('*', '*').delay('1s')
  say(before ? 'Delay: off.' : 'Delay: on, 1 second.')
}

/** Goes from one scenario to the next, and after the last to none. */
async function nextScenario(running: Running): Promise<void> {
  const controls = controlsOf(running, 'scenarios')
  const before = (await controls?.['GET']?.(null)) as
    | { active: string | null; scenarios: string[] }
    | undefined
  if (!before) return
  const { active, scenarios } = before
  const next = scenarios[active === null ? 0 : scenarios.indexOf(active) + 1] ?? null
  await controls?.['PUT']?.(next)
  running.say(next === null ? 'Scenario: none.' : `Scenario: ${next}.`)
}

function controlsOf({ mock }: Running, name: string): Controls | undefined {
  return mock.behaviours.find((one) => one.name === name)?.controls
}

type Controls = NonNullable<Running['mock']['behaviours'][number]['controls']>

/** In raw mode the terminal leaves it to the program to make Ctrl-Z work. */
function suspend({ terminal }: Running, setRaw: (isRaw: boolean) => void): void {
  setRaw(false)
  try {
    terminal.io.kill?.(0, 'SIGTSTP')
  } catch {
    // Windows has no such signal, and goes on.
    setRaw(true)
  }
}
