import type { RuleState } from '../../core/http/rules/rule.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { type MockInternals, internalsOf } from '../../core/http/contract/internals.ts'
import { openInBrowser } from './open-browser.ts'
import { homeOf } from '../output/addresses.ts'
import { describeKeys } from '../output/banner.ts'
import { toPrintable, toPrintableLines } from '../output/printable.ts'
import type { Session } from './session.ts'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** Listens to the keys that control a server, if the program is in the foreground of a terminal. */
export async function listenToKeys(session: Session): Promise<Keys> {
  const { io } = session.terminal
  const { stdin } = io
  const isTerminal = stdin.isTTY === true && io.stdout.isTTY === true && !session.config.quiet
  if (!isTerminal || !stdin.setRawMode || !(await isInForeground(io.pid))) return noKeys
  const setRaw = (isRaw: boolean): void => void stdin.setRawMode?.(isRaw)
  const press = async (key: string): Promise<void> => {
    try {
      await keys.find((one) => one.key === key)?.press(session, setRaw)
    } catch (error) {
      const { printError, terminal } = session
      printError(terminal.errorPaint.red(toPrintableLines(toMessage(error))))
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
    labels: labelsOf(session),
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

/** The result of {@link listenToKeys}. */
export interface Keys {
  /** The available keys with their labels, for the banner. */
  labels: readonly (readonly [key: string, label: string])[]
  /** Stops listening and restores the mode of the terminal. */
  close(): void
}

/** The keys that have a label, and whose behaviour is in `use`. */
function labelsOf(session: Session): Keys['labels'] {
  return keys.flatMap(({ key, label, behaviour }) => {
    const isAvailable = behaviour === undefined || controlsOf(session, behaviour) !== undefined
    return label !== undefined && isAvailable ? [[key, label] as const] : []
  })
}

const noKeys: Keys = { labels: [], close: () => undefined }

interface Key {
  key: string
  /** The action of the key, in the banner's list of keys; the list leaves out keys without a label. */
  label?: string
  /** The behaviour that has to be in `use`. */
  behaviour?: string
  press(session: Session, setRaw: (isRaw: boolean) => void): void | Promise<void>
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_Z = '\u001A'

const keys: readonly Key[] = [
  { key: 'r', label: 'reset', press: reset },
  { key: 's', label: 'snapshot', press: snapshot },
  { key: 'b', label: 'back to snapshot', press: restore },
  { key: 'd', label: 'delay on/off', press: toggleDelay },
  { key: 'n', label: 'next scenario', press: nextScenario, behaviour: 'scenarios' },
  { key: 'o', label: 'open', press: open },
  { key: 'q', label: 'quit', press: quit },
  { key: '?', label: 'keys', press: listKeys },
  { key: 'h', press: listKeys },
  { key: CTRL_C, press: quit },
  { key: CTRL_D, press: quit },
  { key: CTRL_Z, press: suspend },
  { key: '\r', press: ({ print }) => print('') },
]

function quit({ shutdown }: Session): void {
  shutdown.request()
}

function reset({ mock, print }: Session): void {
  mock.reset()
  print('Reset: the data is back to what the files contain.')
}

function snapshot({ mock, print }: Session): void {
  const name = new Date().toISOString().slice(0, 19)
  mock.snapshot(name)
  print(`Snapshot "${name}" saved.`)
}

/** Restores the last snapshot, of the key `s` or of any other origin. */
function restore({ mock, print }: Session): void {
  const name = mock.snapshots().at(-1)
  if (name === undefined) return print('There is no snapshot yet. Please press s to save one.')
  mock.restore(name)
  print(`Snapshot "${toPrintable(name)}" restored.`)
}

function listKeys(session: Session): void {
  const { paint, columns } = session.terminal
  session.print(describeKeys(labelsOf(session), paint, columns).join('\n'))
}

function open({ serving, printError }: Session): Promise<void> {
  return openInBrowser(homeOf(serving.url, serving.token), printError)
}

async function toggleDelay(session: Session): Promise<void> {
  const controls = controlsOf(session, 'delay')
  const before = (await controls?.['GET']?.(null)) as { isOn: boolean } | undefined
  if (!before) return toggleDelayRule(session)
  await controls?.['PUT']?.({ isOn: !before.isOn })
  session.print(before.isOn ? 'Delay: off.' : 'Delay: on.')
}

/** Without the `delay` behaviour: adds a rule that delays every response by a second, or removes it. */
function toggleDelayRule({ mock, print }: Session): void {
  const isOurs = ({ on, isDelayed }: RuleState): boolean => on === '* *' && isDelayed
  const before = mock.rules.list().find(isOurs)
  if (before) mock.rules.end(before.number)
  else mock.on('*', '*').delay('1s')
  print(before ? 'Delay: off.' : 'Delay: on, 1 second.')
}

/** Activates the next scenario; after the last one, deactivates it. */
async function nextScenario(session: Session): Promise<void> {
  const controls = controlsOf(session, 'scenarios')
  const before = (await controls?.['GET']?.(null)) as
    | { active: string | null; scenarios: string[] }
    | undefined
  if (!before) return
  const { active, scenarios } = before
  const next = scenarios[active === null ? 0 : scenarios.indexOf(active) + 1] ?? null
  await controls?.['PUT']?.(next)
  session.print(next === null ? 'Scenario: none.' : `Scenario: ${next}.`)
}

function controlsOf({ mock }: Session, name: string): Controls | undefined {
  return internalsOf(mock).behaviours.find((behaviour) => behaviour.name === name)?.controls
}

type Controls = NonNullable<MockInternals['behaviours'][number]['controls']>

/** Suspends the program on Ctrl-Z, which the terminal does not do in raw mode. */
function suspend({ terminal }: Session, setRaw: (isRaw: boolean) => void): void {
  setRaw(false)
  try {
    terminal.io.kill?.(0, 'SIGTSTP')
  } catch {
    // Windows has no SIGTSTP; the program goes on.
    setRaw(true)
  }
}

/** Whether a process may read keys from its terminal; also true if the system does not report the foreground. */
export async function isInForeground(pid: number | undefined): Promise<boolean> {
  if (pid === undefined || process.platform === 'win32') return true
  const [own, foreground] = await (process.platform === 'linux' ? readProc(pid) : readPs(pid))
  return own === undefined || foreground === undefined || own === foreground
}

/** The process group of a process, and the one in the foreground of its terminal. */
type Groups = [own?: string | undefined, foreground?: string | undefined]

/** Reads fields 5 and 8 of proc_pid_stat(5), counted from the end of the program name in field 2. */
async function readProc(pid: number): Promise<Groups> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return [fields[2], fields[5]]
}

function readPs(pid: number): Promise<Groups> {
  return new Promise((done) => {
    execFile('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)], (_error, text) => {
      const [own, foreground] = text.trim().split(/\s+/)
      done([own, foreground])
    })
  })
}
