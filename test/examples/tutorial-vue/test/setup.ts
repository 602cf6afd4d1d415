import { strict } from 'fixtura/msw'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { mock, server } from './mock.ts'

beforeAll(() => server.listen(strict())) // a request that no mock answers is an error
beforeEach(() => mock.reset())
afterAll(() => server.close())
