import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { toOnAbort } from '../../../../../src/faces/node/http/request.ts'

it('leaves no listener on a connection after a response', async () => {
  const counts: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    sockets.add(incoming.socket)
    counts.push(incoming.socket.listenerCount('end'))
    toOnAbort(response)?.(() => undefined)
    incoming.resume().on('end', () => response.end())
  })
  await once(server.listen(0, 'localhost'), 'listening')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => {
    agent.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  for (let count = 0; count < 3; count++) {
    const sent = request({ port, host: 'localhost', method: 'POST', agent }).end()
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    await once(response.resume(), 'end')
  }
  expect(sockets.size).toBe(1)
  expect(new Set(counts).size).toBe(1)
})
