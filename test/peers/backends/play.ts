import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'vitest'

import type { Mock } from '../../../src/index.ts'
import { loadMock } from '../../../src/node.ts'
import type { Step } from './scripts.ts'

/** A request as `fetch` takes it. */
export interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/** A response as it is compared. */
export interface Answer {
  status: number
  value: unknown
}

/** The request of a step. */
export function toCall(step: Step): Call {
  const [request, body, headers = {}] = typeof step === 'string' ? [step] : step
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return {
    method,
    path,
    headers: { ...type, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

/** Sends the requests of a script; returns the last response to each GET. */
export async function play(origin: string, steps: readonly Step[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const step of steps) {
    const { path, ...init } = toCall(step)
    const answer = await read(await fetch(origin + path, { ...init, redirect: 'manual' }))
    if (init.method === 'GET') answers.set(path, answer)
  }
  return answers
}

/** Reads the status and the JSON of a response; URLs of the mock are taken for those of the real API. */
async function read(response: Response, mock = '', api = ''): Promise<Answer> {
  const body = await response.text()
  const text = mock === '' ? body : body.replaceAll(mock, api)
  return { status: response.status, value: text === '' ? undefined : JSON.parse(text) }
}

/** Requests each read of a mock at an origin; returns those that the mock answers otherwise. */
export async function findDifferences(
  ask: (url: string) => Promise<Response>,
  mock: string,
  api: string,
  answers: ReadonlyMap<string, Answer>,
): Promise<object[]> {
  const differences: object[] = []
  for (const [path, wanted] of answers) {
    const found = await read(await ask(mock + path), mock, api)
    try {
      expect(found).toEqual(wanted)
    } catch {
      differences.push({ path, found, wanted })
    }
  }
  return differences
}

/** Loads the mock of a recording in a folder, with its configuration. */
export function loadRecorded(folder: string): Promise<Mock> {
  const config = join(folder, 'mock.config.jsonc')
  return loadMock(existsSync(config) ? config : join(folder, 'fixtures'))
}

/** Reads all files below a folder as one text. */
export function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')
}
