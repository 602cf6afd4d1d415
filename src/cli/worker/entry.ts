import { relative, sep } from 'node:path'
import { findConfigFile } from '../../load/config/config-file.ts'
import { readDataFile } from '../../load/config/read-data-file.ts'
import { type ImportedFile, isJsonFile, type WorkerProject } from './project.ts'

/** Writes the module `mock-worker.js` with which a bundler starts: the imports of a configuration and its files. */
export async function writeEntry({ folder, files }: WorkerProject): Promise<string> {
  const names = files.map((_, at) => `file${at + 1}`)
  const imports = files.map(({ path }, at) => importOf(`* as ${names[at]}`, folder, path))
  const rows = files.map((file, at) => `      { ${describe(file)}data: ${names[at]} },\n`)
  return `// The mock as a Cloudflare Worker: see node_modules/fixtura/docs/worker.md.
// Everything that is imported makes it larger. In place of all behaviours and dialects, it can have those that
// mock.config.* and the files name: import { auth, schema } from 'fixtura/behaviours', then behaviours: { auth, schema }.
// For the studio, the page at "/?token=" with the token, uncomment the two lines with "studio".
import * as behaviours from 'fixtura/behaviours'
import * as dialects from 'fixtura/dialects'
import { createProjectWorker } from 'fixtura/worker'
// import { studio } from 'fixtura/studio'
${await importConfig(folder)}${imports.join('')}
const worker = await createProjectWorker(
  {
    config,
    behaviours,
    dialects,
    files: [
${rows.join('')}    ],
  },
  {
    // studio,
  },
)

export const { MockSession } = worker
export default worker
`
}

/** Imports the configuration; as a bundler reads no JSON5, the entry has a copy of a configuration in JSON5. */
async function importConfig(folder: string): Promise<string> {
  const path = await findConfigFile(folder)
  if (path === undefined) return 'const config = {}\n'
  if (!isJsonFile(path) || path.endsWith('.json')) return importOf('* as config', folder, path)
  return `const config = ${JSON.stringify(await readDataFile(path, folder), null, 2)}\n`
}

function importOf(clause: string, folder: string, path: string): string {
  const short = relative(folder, path).split(sep).join('/')
  return `import ${clause} from ${quote(short.startsWith('../') ? short : `./${short}`)}\n`
}

/** The members of a file's row beside its data. The resources of a database begin with the name of its folder. */
function describe({ kind, name, scenario }: ImportedFile): string {
  const prefix = kind === 'database' ? name.slice(0, name.lastIndexOf('/') + 1) : name
  return [
    ...(kind === 'resource' ? [] : [`kind: ${quote(kind)}, `]),
    `name: ${quote(prefix)}, `,
    ...(scenario === undefined ? [] : [`scenario: ${quote(scenario)}, `]),
  ].join('')
}

function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
