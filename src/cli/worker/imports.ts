import { relative, sep } from 'node:path'
import { quote } from './to-source.ts'

/**
 * Collects the import statements of a module that is being written to a folder, and chooses a unique name for
 * each imported file.
 */
export function createImports(folder: string): Imports {
  const packages = new Map<string, Set<string>>()
  const files = new Map<string, { name: string; clause: string }>()
  const names = new Set<string>()
  return {
    named(from, name) {
      packages.set(from, (packages.get(from) ?? new Set()).add(name))
      return name
    },
    file(path, words, isNamed) {
      const existing = files.get(path)
      if (existing) return existing.name
      const plain = toIdentifier(words)
      let unique = plain
      for (let number = 2; names.has(unique); number++) unique = `${plain}${number}`
      names.add(unique)
      files.set(path, { name: unique, clause: isNamed ? `* as ${unique}` : unique })
      return unique
    },
    toString: () =>
      [
        ...[...packages.keys()]
          .toSorted()
          .map((from) =>
            importOf(`{ ${[...(packages.get(from) ?? [])].toSorted().join(', ')} }`, from),
          ),
        ...Array.from(files, ([path, { clause }]) => importOf(clause, toSpecifier(folder, path))),
      ].join(''),
  }
}

/** The imports of a module; `toString` returns their statements. */
export interface Imports {
  /** Imports an export of a package, and returns its name. */
  named(from: string, name: string): string
  /**
   * Imports the default export of a file, or all named exports as one object. Returns the name of the import:
   * `postsData` for the words `posts data`.
   */
  file(path: string, words: string, isNamed: boolean): string
  toString(): string
}

function importOf(clause: string, from: string): string {
  return `import ${clause} from ${quote(from)}\n`
}

function toSpecifier(folder: string, path: string): string {
  const short = relative(folder, path).split(sep).join('/')
  return short.startsWith('../') ? short : `./${short}`
}

/** Joins words to the name of a variable. The last word is fixed, so that the name is no reserved word. */
function toIdentifier(words: string): string {
  const camel = words
    .trim()
    .replaceAll(/[^a-z\d]+(.)?/gi, (_, next: string | undefined) => next?.toUpperCase() ?? '')
  return camel.replace(/^\d/, '_$&')
}
