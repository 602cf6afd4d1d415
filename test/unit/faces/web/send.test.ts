import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'

import { send } from '../../../../src/faces/web/platform.ts'

it('gives up whoever does not answer within 15 seconds', async () => {
  const server = createServer(() => {}).listen(0)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const up = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(up.signal)
  onTestFinished(() => timeout.mockRestore())
  const { port } = server.address() as AddressInfo
  const sent = send({ url: `http://localhost:${port}`, headers: {}, body: '{}' })
  server.once('request', () => up.abort(new Error('Time is up.')))
  await expect(sent).rejects.toThrow('Time is up.')
  expect(timeout).toHaveBeenCalledWith(15_000)
})
