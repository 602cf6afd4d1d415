import { loadMock, serve } from 'fixtura/node'

export async function setup() {
  const { close } = await serve(await loadMock('mock.config.js'), { port: 3000 })
  return close
}
