import { configChecks } from '../../core/mock/config.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { toDialect, toSessions, toUse } from './entry-behaviours.ts'
import { toFixtures } from './entry-fixtures.ts'
import type { Entry } from './entry-parts.ts'
import { createImports, type Imports } from './imports.ts'
import type { WorkerProject } from './project.ts'
import { toSource } from './to-source.ts'

/**
 * Writes the entry of a worker, `mock-worker.js`, which serves the fixtures of a project by its
 * configuration. The entry imports only the behaviours and the dialect in use, because a bundle has
 * everything that its entry imports.
 */
export function writeEntry(project: WorkerProject): { text: string; omitted: string[] } {
  const { config, folder } = project
  const imports = createImports(folder)
  imports.named('fixtura/worker', 'createWorker')
  const setup = importConfig(project, imports)
  const entry: Entry = {
    project,
    imports,
    omitted: project.omitted.slice(),
    valueOf: (option) => (project.module ? `config.${option}` : toSource(config[option], '    ')),
  }
  const options = {
    fixtures: toFixtures(entry),
    ...Object.fromEntries(plainOptions(config).map((option) => [option, entry.valueOf(option)])),
    dialect: toDialect(entry),
    use: toUse(entry),
  }
  const members = Object.entries(options).filter(([, text]) => text !== undefined)
  const sessions = toSessions(entry)
  const text = `// The mock as a Cloudflare Worker: see node_modules/fixtura/docs/worker.md. Everything that is imported makes it larger.
// To add a behaviour, import it from 'fixtura/behaviours' and call it in "use".
// For the studio, the page at "/?token=" with the token, uncomment the two lines with "studio".
${imports.toString()}// import { studio } from 'fixtura/studio'
${setup}
const worker = createWorker(
  {
${members.map(([option, value]) => `    ${option}: ${value},\n`).join('')}  },
  {
    // studio,
${sessions === undefined ? '' : `    sessions: ${sessions},\n`}  },
)

export const { MockSession } = worker
export default worker
`
  return { text, omitted: entry.omitted }
}

/** Imports the configuration as `config`; returns the statement that calls or awaits the import, if one is needed. */
function importConfig({ module }: WorkerProject, imports: Imports): string {
  if (!module) return ''
  const { path, isNamed, kind } = module
  const name = imports.file(path, configWords[kind], isNamed)
  return kind === 'object'
    ? ''
    : `\nconst config = await ${name}${kind === 'function' ? '()' : ''}\n`
}

/** The words of the name of an imported configuration. */
const configWords = { object: 'config', function: 'create config', promise: 'config promise' }

/** The options of a configuration that a worker takes as they are. */
function plainOptions(config: FileConfig): (keyof FileConfig)[] {
  const names = [...Object.keys(configChecks), 'corsOrigin'] as (keyof FileConfig)[]
  return names.filter((name) => name !== 'use' && name !== 'dialect' && config[name] !== undefined)
}
