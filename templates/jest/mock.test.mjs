/** @jest-environment node */
// An ES module, for which Jest needs a flag of Node:
// node --experimental-vm-modules node_modules/jest/bin/jest.js
import { handlers, strict } from 'fixtura/msw'
import { loadMock } from 'fixtura/node'
import { setupServer } from 'msw/node'

/** The fixtures, with the options of mock.config.*. */
const mock = await loadMock()
const server = setupServer(...handlers(mock))
beforeAll(() => server.listen(strict())) // a request that the mock does not answer is an error
afterEach(() => mock.reset())
afterAll(() => server.close())

const url = 'http://localhost$BASE/$RESOURCE'

test('answers from the fixtures', async () => {
  expect((await fetch(url)).status).toBe(200)
})

test('fails once', async () => {
  mock.on('GET', '/$RESOURCE').fail(503, { times: 1 })
  expect((await fetch(url)).status).toBe(503)
  expect((await fetch(url)).status).toBe(200)
})
