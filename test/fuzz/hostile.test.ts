import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createRandom } from '../../src/core/time/random.ts'
import { createMock } from '../../src/index.ts'
import { serve, type Serving } from '../../src/node.ts'
import { seed } from '../seed.ts'
import { send } from '../wire.ts'
import { type Attack, createAttacks } from './attacks.ts'
import { createFixtures } from './data.ts'

/** `FUZZ_SEED=7 FUZZ_COUNT=100000 npx vitest run test/fuzz` tries other and more attacks. */
const count = Number(process.env['FUZZ_COUNT'] ?? 10_000)
const atOnce = 20

/** How long an attack may keep the server busy, in milliseconds of processor time, whatever else the machine does. */
const patience = 2000

/** The processor time of this process so far, in milliseconds. */
function busyTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const folder = join(import.meta.dirname, '../../fixtures')

const fixtures = createFixtures()

describe('a server under attack', () => {
  const failures: string[] = []
  const mock = createMock({ fixtures: createFixtures(), seed, logSize: 100 })
  let serving: Serving

  beforeAll(async () => {
    serving = await serve(mock, { port: 0, headersTimeout: 1500, requestTimeout: 1500, grace: 500 })
    console.error = (...parts: unknown[]) => void failures.push(parts.map(show).join(' '))
  })
  const { error } = console
  afterAll(async () => {
    console.error = error
    await serving.close()
  })

  it(
    `answers ${count} hostile requests of seed ${seed}, and an innocent client all along`,
    { timeout: 600_000 },
    async () => {
      const files = hashOf(folder)
      const prototypes = describePrototypes()
      const attacks = createAttacks(createRandom(seed))
      const slowest = { kind: '', time: 0 }
      const statuses = new Map<string, number>()
      let sent = 0
      const end = new AbortController()
      let served = 0

      const attack = async (): Promise<void> => {
        while (sent < count) {
          const next = attacks()
          const at = sent++
          if (at % 500 === 499) mock.reset()
          const started = busyTime()
          const { text, isLate } = await launch(serving.port, next)
          const time = busyTime() - started
          if (time > slowest.time && !isLate) Object.assign(slowest, { kind: next.kind, time })
          const found = problemsOf(text, next).map(
            (problem) => `${problem}: ${describeAttack(at, next)}\n${text.slice(0, 600)}`,
          )
          failures.push(...found)
          const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'none'
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
      const beInnocent = async (): Promise<void> => {
        while (!end.signal.aborted) {
          const started = busyTime()
          const { status, text } = await send(serving.port, { path: '/innocent/1' })
          const time = busyTime() - started
          if (
            status !== 200 ||
            text !== '{"id":1,"text":"Nobody touches this."}' ||
            time > patience
          ) {
            failures.push(`The innocent client got ${status} after ${time} ms: ${text}`)
          }
          served++
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }

      const innocent = beInnocent()
      await Promise.all(Array.from({ length: atOnce }, attack))
      end.abort()
      await innocent

      expect(failures.slice(0, 5)).toEqual([])
      expect(served).toBeGreaterThan(count / 500)
      expect(slowest.time, slowest.kind).toBeLessThan(patience)
      expect([...statuses.keys()].filter((status) => status.startsWith('5'))).toEqual([])
      // The attacks reach what they aim at: they are not all turned away at the door.
      for (const status of ['200', '201', '400', '404', '405', '409', '413', '415', '422', '431']) {
        expect(statuses.get(status) ?? 0, status).toBeGreaterThan(0)
      }
      expect(describePrototypes()).toEqual(prototypes)
      expect(hashOf(folder)).toBe(files)
      mock.reset()
      const { text } = await send(serving.port, { path: '/posts' })
      expect(JSON.parse(text)).toEqual(fixtures['posts'])
    },
  )

  it(`needs no more memory for more attacks of seed ${seed}`, { timeout: 600_000 }, async () => {
    const attacks = createAttacks(createRandom(`${seed} memory`))
    const round = async (): Promise<number> => {
      let sent = 0
      const attack = async (): Promise<void> => {
        while (sent++ < count / 20) await launch(serving.port, attacks())
      }
      await Promise.all(Array.from({ length: atOnce }, attack))
      mock.reset()
      collectGarbage()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const sizes = [await round(), await round(), await round(), await round()]
    const [, first = 0] = sizes
    expect(Math.min(...sizes.slice(2)), sizes.join()).toBeLessThan(first + 8)
  })
})

interface Outcome {
  text: string
  /** Whether the server, as it should, waited for the rest of what was sent. */
  isLate: boolean
}

/** Carries an attack out, and gives what came back until the connection ended. */
function launch(port: number, { bytes, leavesAfter, pieces = 1 }: Attack): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let isLate = false
    const socket = connect(port, '127.0.0.1', () => {
      if (leavesAfter !== undefined) {
        socket.write(bytes.subarray(0, leavesAfter), () => socket.destroy())
        return
      }
      const size = Math.ceil(bytes.length / pieces)
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size))
    })
    // What is not complete is given up by the client here, or by the server after its time-out.
    const timer = setTimeout(() => {
      isLate = true
      socket.end()
    }, 150)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isLate })
    })
  })
}

/** What is wrong with an answer. */
function problemsOf(text: string, { isRefused = false }: Attack): string[] {
  const rules: [isBroken: boolean, problem: string][] = [
    // The test resets the mock at times, which a request that waits for its body is told.
    [/^HTTP\/1\.1 5/m.test(text) && !text.includes('the mock was reset'), 'a 5xx'],
    [/^x-injected/im.test(headOf(text)), 'an injected header'],
    [/\n {4}at |node:internal|\/src\/core\//.test(text), 'a stack trace'],
    [/root:.*:0:0:/.test(text), 'a file'],
    [text !== '' && !text.startsWith('HTTP/1.1 '), 'no HTTP'],
    [isRefused && /^HTTP\/1\.1 (?!4)/.test(text), 'an answer to a page of another origin'],
    [isWrongError(text), 'an error that is no problem document'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem)
}

function headOf(text: string): string {
  return text.split('\r\n\r\n', 1)[0] ?? ''
}

function isWrongError(text: string): boolean {
  if (!text.startsWith('HTTP/1.1 4')) return false
  const head = headOf(text)
  // Node itself answers a request without a host, and nobody has a body for HEAD.
  if (!/content-type/i.test(head)) return !/^HTTP\/1\.1 (?:400|4\d\d .*content-length)/is.test(head)
  return !/content-type: application\/problem\+json/i.test(head)
}

function describeAttack(at: number, { kind, bytes }: Attack): string {
  return `${kind} ${at}: ${JSON.stringify(bytes.subarray(0, 1500).toString('latin1'))}`
}

/** All that a polluted prototype would have more or other than before. */
function describePrototypes(): string[] {
  const all: Record<string, object> = {
    Object: Object.prototype,
    Array: Array.prototype,
    String: String.prototype,
    Function: Function.prototype,
    Map: Map.prototype,
    Promise: Promise.prototype,
  }
  return Object.entries(all).flatMap(([name, prototype]) =>
    Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`),
  )
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(path).toSorted()) hash.update(readFileSync(join(path, name)))
  return hash.digest('hex')
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

function show(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value)
}
