import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { createOriginOf } from '../../../../../src/faces/node/http/origin.ts'
import { splitTarget, toMockRequest } from '../../../../../src/faces/node/http/request.ts'

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n'

it.each([
  ['half', `${head}{`],
  ['all', `${head}{}`],
])('a body rejects if its client disconnects after %s of it', async (_, bytes) => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(bytes)
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  request.once('error', () => undefined)
  const closed = new Promise((resolve) => request.once('close', resolve))
  client.resetAndDestroy()
  await closed
  await expect(toMockRequest(request, {}, createOriginOf()).text(100)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the connection broke off'),
  })
})

it.each([
  ['/a', '/a', ''],
  ['/a?b=c?d', '/a', '?b=c?d'],
  ['/a?', '/a', '?'],
  ['http://localhost', '/', ''],
  ['http://localhost?b', '/', '?b'],
  ['HTTPS://localhost:80/a/b?c', '/a/b', '?c'],
  ['*', '/*', ''],
  ['/<a>#b?c="d"', '/%3Ca%3E%23b', '?c=%22d%22'],
])('the target %s has a path and a query', (target, path, search) => {
  expect(splitTarget(target)).toEqual({ path, search })
})
