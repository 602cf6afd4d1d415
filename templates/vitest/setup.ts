// The `test` of this file gives each test its own copy of the data, also while others run at the same time.
import { handlers, strict } from 'fixtura/msw'
import { loadMock } from 'fixtura/node'
import { mockTest } from 'fixtura/vitest'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll } from 'vitest'

/** The fixtures, with the options of mock.config.*. */
const mock = await loadMock()
const server = setupServer(...handlers(mock))
beforeAll(() => server.listen(strict())) // a request that the mock does not answer is an error
afterAll(() => server.close())

export const test = mockTest(mock)
