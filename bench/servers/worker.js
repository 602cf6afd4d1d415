// Serves a database file as a worker, with one Durable Object in `workerd` and its storage on the disk:
// `node worker.js db.json --port 3000`.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const [, , file, , port] = process.argv
const folder = join(dirname(file), 'worker')
mkdirSync(join(folder, 'objects'), { recursive: true })

const entry = '\0worker'
const source = `
import { createWorker } from ${JSON.stringify(join(import.meta.dirname, '../../dist/worker.js'))}
const worker = createWorker(
  { fixtures: ${readFileSync(file, 'utf8')} },
  { limits: { records: 10_000_000, bytes: 1_000_000_000 } },
)
export const { MockSession } = worker
export default worker
`
const bundle = await rolldown({
  input: entry,
  platform: 'browser',
  plugins: [
    {
      name: 'worker',
      resolveId: (id) => (id === entry ? entry : null),
      load: (id) => (id === entry ? source : null),
    },
  ],
})
const { output } = await bundle.generate({ codeSplitting: false })
writeFileSync(join(folder, 'worker.js'), output[0].code)
writeFileSync(
  join(folder, 'config.capnp'),
  `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mock),
    (name = "objects", disk = (path = ${JSON.stringify(join(folder, 'objects'))}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const mock :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  durableObjectNamespaces = [(className = "MockSession", uniqueKey = "mock", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "MOCK", durableObjectNamespace = "MockSession")],
);
`,
)
const require = createRequire(import.meta.url)
const platform = `${process.platform}-${process.arch === 'x64' ? '64' : process.arch}`
const binary = createRequire(require.resolve('workerd')).resolve(
  `@cloudflare/workerd-${platform}/package.json`,
)
const child = spawn(join(dirname(binary), 'bin/workerd'), ['serve', join(folder, 'config.capnp')], {
  stdio: 'ignore',
})
child.once('exit', () => process.exit(0))
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => child.kill('SIGKILL'))
