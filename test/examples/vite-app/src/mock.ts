import { createMock } from 'fixtura'
import { startMock } from 'fixtura/browser'
import { base, fixtures } from 'virtual:fixtura'

const mock = createMock({ fixtures, base })

/** Answers what this page asks for below `/api`. */
export async function start(): Promise<void> {
  await startMock(mock, { persist: 'session' })
}
