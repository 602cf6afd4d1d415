import { basename, extname } from 'node:path'
import { nearest } from '../../core/errors/nearest.ts'

/** Whether a file is loaded as a fixture, by the extension of its name; of SQL and TypeScript, in a folder, the files of Supabase alone. */
export function isSupported(name: string, isNamed = false): boolean {
  const isSupabase = isNamed ? /\.(?:sql|ts)$/i : /^(?:seed.*\.sql|database\.types\.ts)$/i
  return isSupabase.test(name) || SUPPORTED.has(extname(name).toLowerCase())
}

const SUPPORTED = new Set(['.json', '.jsonc', '.json5', '.js', '.mjs', '.cjs'])

/** The extensions of files that are loaded as fixtures, as a comma-separated list for messages. */
export const SUPPORTED_EXTENSIONS: string = [...SUPPORTED].join(', ')

/** The extensions of formats that other tools use for fixtures. */
const UNSUPPORTED = /\.(?:[cm]?ts|ya?ml|toml|[ct]sv|geojson|jsonl|ndjson)$/i

/** The names of files that usually lie beside fixtures and hold no data: types, and modules that import the fixtures. */
const HELPERS = /^(?:index|types)\.|\.d\./

/** The names of files in a project folder that belong to tools: package managers, TypeScript, bundlers and MSW. */
const TOOL_FILES =
  /^(?:(?:package|package-lock|npm-shrinkwrap|composer|[jt]sconfig(?:[.-].+)?)\.json|deno\.jsonc?|.+\.config\.[cm]?[jt]s|mock\.config\.json[5c]?|mockServiceWorker\.js)$/i

/** Whether a file in a folder belongs to a tool, and is therefore no fixture. */
export function isToolFile(name: string): boolean {
  return TOOL_FILES.test(name)
}

/** Whether a file seems to be a fixture in an unsupported format or with a mistyped extension, by its name. */
export function isUnsupported(name: string): boolean {
  return (UNSUPPORTED.test(name) || isMistyped(name)) && !HELPERS.test(name)
}

/** Whether an extension seems to be a mistake (`.jsn`, `.json.txt`), but not that of a backup such as `posts.json.bak`. */
function isMistyped(name: string): boolean {
  if (/\.json[5c]?(?: +|\.txt)$/i.test(name)) return true
  const [, extension] = /\.([a-z]+)$/i.exec(name) ?? []
  return extension !== undefined && nearest(extension, ['json']) !== undefined
}

/** Says, as the reason in a message, that files with an extension are not supported. */
export function describeUnsupported(name: string): string {
  const extension = extname(name)
  return `${extension === '' ? 'files without an extension' : `${extension} files`} are not supported`
}

/** Formats the notices about files in folders that are not loaded: one line for each reason. */
export function describeSkipped(labels: readonly string[]): string[] {
  const isTool = (label: string): boolean => isToolFile(basename(label))
  const [tools, others] = [labels.filter(isTool), labels.filter((label) => !isTool(label))]
  return [
    ...(tools.length > 0 ? [`Skipped files of tools: ${listSome(tools)}.`] : []),
    ...(others.length > 0
      ? [`Skipped: ${listSome(others)}. Supported extensions: ${SUPPORTED_EXTENSIONS}.`]
      : []),
  ]
}

/** Lists the first names, by default three, and the number of the remaining names. */
export function listSome(names: readonly string[], count = 3): string {
  const more = names.length > count ? ` and ${names.length - count} more` : ''
  return names.slice(0, count).join(', ') + more
}
