import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { exists } from '../../loader/discover/discover.ts'
import { loadFixtures } from '../../loader/load.ts'
import { type Choices, packageOf, packagesOf, type Runner } from './choices.ts'
import { packageRoot, readTemplate, type Values } from './templates.ts'

/** Plans the files by which a framework and test runners use the mock, and what the user does next. */
export async function planSetUp(project: Project, choices: Choices): Promise<SetUp> {
  const { folder, manifest } = project
  const { framework, tests, isTypeScript } = choices
  const { sources } = await loadFixtures([project.fixtures].flat(), { cwd: folder })
  const resource =
    (sources.find(({ value }) => Array.isArray(value)) ?? sources[0])?.name ?? 'posts'
  const { base } = project
  const read = (name: string, more: Values = {}): Promise<string> =>
    readTemplate(name, { BASE: base, RESOURCE: resource, ...more }, isTypeScript)
  const extension = isTypeScript ? 'ts' : 'js'
  const plan: SetUp = { files: {}, edits: {}, next: [], notes: [] }
  const runs: Readonly<Record<Choices['framework'] | Runner, () => Promise<void>>> = {
    none: async () => void plan.next.push('npx fixtura server'),
    async vite() {
      const options = toViteOptions(project)
      const config = (await readdir(folder)).find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))
      const text = config === undefined ? '' : await readFile(join(folder, config), 'utf8')
      const edited = addPlugin(text, `fixtura(${options})`)
      if (config === undefined)
        plan.files[`vite.config.${extension}`] = await read('vite/vite.config.ts', {
          OPTIONS: options,
        })
      else if (edited !== undefined) plan.edits[config] = edited
      else
        plan.notes.push(`Please add the plugin to ${config}: fixtura(${options}) of fixtura/vite.`)
      plan.next.push(`npx vite   # then open http://localhost:5173${base}/${resource}`)
    },
    async next() {
      const isInSrc = await exists(join(folder, 'src'))
      const isNested = isInSrc && !(await exists(join(folder, 'app')))
      // A route of Next needs a path, also where tests have a mock without a base.
      const prefix = base || '/api'
      const path = `${isNested ? 'src/' : ''}app${prefix}/[...path]/route.${extension}`
      const { others, ...imported } = await importFixtures(folder, path, project.fixtures)
      plan.files[path] = await read('next/route.ts', { ...imported, BASE: prefix })
      if (others.length > 0)
        plan.notes.push(`Next imports JSON only: ${path} has no ${others.join(', ')}.`)
      plan.next.push(`npx next dev   # then open http://localhost:3000${prefix}/${resource}`)
    },
    async vitest() {
      plan.files[`mocks/setup.${extension}`] = await read('vitest/setup.ts')
      plan.files[`mocks/mock.test.${extension}`] = await read('vitest/mock.test.ts')
      plan.next.push('npx vitest run mocks')
    },
    async jest() {
      plan.files['mocks/mock.test.mjs'] = await read('jest/mock.test.mjs')
      plan.next.push(
        'node --experimental-vm-modules node_modules/jest/bin/jest.js mocks   # the flag lets Jest load ES modules',
      )
    },
    async playwright() {
      const configs = (await readdir(folder)).filter((name) =>
        name.startsWith('playwright.config.'),
      )
      const config = configs[0] && (await readFile(join(folder, configs[0]), 'utf8'))
      const testDir = /testDir: ['"](?:\.\/)?([\w./-]+)['"]/.exec(config ?? '')?.[1] ?? 'e2e'
      if (config === undefined)
        plan.files[`playwright.config.${extension}`] = await read(
          'playwright/playwright.config.ts',
          { SERVER: servers[framework] },
        )
      plan.files[`${testDir}/mock.spec.${extension}`] = await read('playwright/mock.spec.ts')
      plan.next.push('npx playwright install chromium', 'npx playwright test mock')
      if (tests.includes('vitest'))
        plan.notes.push(
          `Vitest collects *.spec files too: exclude ${testDir} in its configuration.`,
        )
    },
  }
  for (const name of [framework, ...tests]) await runs[name]()
  if (choices.agents) await planAgents(project, plan)
  const missing = missingPackages(choices, packagesOf(manifest))
  const installs = framework !== 'none' || tests.length > 0 ? missing : []
  return { ...plan, install: installs.length > 0 ? await toInstall(folder, installs) : undefined }
}

/** The project to set up: its folder and package.json, the paths of its fixtures, and the base of its API. */
export interface Project {
  folder: string
  manifest: unknown
  fixtures: string | readonly string[]
  base: string
}

/** What a set-up consists of. */
export interface SetUp {
  /** The texts of new files by path. */
  files: Record<string, string>
  /** The new texts of existing files, to which something was added. */
  edits: Record<string, string>
  /** The command that installs the missing packages. */
  install?: string | undefined
  /** The commands that run the set-up. */
  next: string[]
  /** What the user has to do by hand. */
  notes: string[]
}

function toViteOptions({ base, fixtures }: Project): string {
  const paths = [fixtures].flat()
  const [path, ...others] = paths
  const isDefault = others.length === 0 && path?.replace(/\/$/, '') === 'fixtures'
  const given = isDefault ? '' : `fixtures: ${JSON.stringify(others.length === 0 ? path : paths)}, `
  return `{ ${given}${base && `base: '${base}', `}mode: 'server' }`.replaceAll('"', "'")
}

/**
 * Adds a plugin, and its import, to a configuration of Vite. Returns undefined for a text that is not understood: it
 * has several lists of plugins, or imports nothing.
 */
function addPlugin(text: string, call: string): string | undefined {
  if (text.includes('fixtura/vite')) return text
  const firstImport = /^import\b/m.exec(text)
  const places = [/^(?:\s*)plugins:\s*\[/gm, /\bdefineConfig\(\{/g]
    .map((pattern) => [...text.matchAll(pattern)])
    .find(({ length }) => length > 0)
  const [place] = places ?? []
  if (!firstImport || !place || places?.length !== 1) return undefined
  const end = place.index + place[0].length
  const isList = place[0].endsWith('[')
  const indent = /^\n[ \t]*/.exec(text.slice(end))?.[0] ?? ''
  const added = isList ? `${indent}${call},${indent === '' ? ' ' : ''}` : `\n  plugins: [${call}],`
  const whole = `${text.slice(0, end)}${added}${text.slice(end)}`.replaceAll(
    `${call}, ]`,
    `${call}]`,
  )
  const { index } = firstImport
  return `${whole.slice(0, index)}import { fixtura } from 'fixtura/vite'\n${whole.slice(index)}`
}

/** Plans the part of AGENTS.md about the mock; what stands around it stays. */
async function planAgents({ folder, fixtures, base }: Project, plan: SetUp): Promise<void> {
  const skills = join(packageRoot(), 'skills')
  const rows = (await readdir(skills)).map(async (name) => {
    const text = await readFile(join(skills, name, 'SKILL.md'), 'utf8')
    const description = /^description: (.*)$/m.exec(text)?.[1] ?? ''
    return `- [${name}](node_modules/fixtura/skills/${name}/SKILL.md): ${description}\n`
  })
  const part = await readTemplate('agents.md', {
    BASE: base,
    FIXTURES: [fixtures].flat().join(', '),
    SKILLS: (await Promise.all(rows)).join(''),
  })
  const before = await readFile(join(folder, 'AGENTS.md'), 'utf8').catch(() => undefined)
  const [known] = /<!-- fixtura: begin[^]*?<!-- fixtura: end -->\n?/.exec(before ?? '') ?? []
  if (before === undefined) plan.files['AGENTS.md'] = part
  else if (known !== undefined) plan.edits['AGENTS.md'] = before.replace(known, () => part)
  else plan.edits['AGENTS.md'] = `${before.trimEnd()}\n\n${part}`
}

/** The options of Playwright's configuration by which it starts the application. */
const servers: Readonly<Record<Choices['framework'], string>> = {
  none: '',
  vite: toServer('npx vite', 5173),
  next: toServer('npx next dev', 3000),
}

function toServer(command: string, port: number): string {
  const url = `http://localhost:${port}`
  return `
  use: { baseURL: '${url}' },
  webServer: { command: '${command}', url: '${url}', reuseExistingServer: true },`
}

/** Writes the imports of the fixtures that are JSON, for a module at `path`, and the object that they make. */
async function importFixtures(
  folder: string,
  path: string,
  fixtures: Project['fixtures'],
): Promise<{ IMPORTS: string; FIXTURES: string; others: string[] }> {
  const { files } = await loadFixtures([fixtures].flat(), { cwd: folder })
  const served = [...files.values()].filter(
    ({ kind, scenario }) => scenario === undefined && (kind === 'resource' || kind === 'database'),
  )
  const isJson = (file: { path: string }): boolean => file.path.endsWith('.json')
  const toShort = (from: string, to: string): string => relative(from, to).split(sep).join('/')
  const rows = served.filter(isJson).map(({ kind, name, path: file }) => {
    const camel = name.replaceAll(/[^A-Za-z0-9]+(.?)/g, (_, letter: string) => letter.toUpperCase())
    const variable = /^[A-Za-z]/.test(camel) ? `${camel}Data` : `data${camel}`
    return {
      line: `import ${variable} from '${toShort(dirname(join(folder, path)), file)}'\n`,
      member: kind === 'database' ? `...${variable}` : `'${name}': ${variable}`,
    }
  })
  return {
    IMPORTS: rows.map(({ line }) => line).join(''),
    FIXTURES: `{ ${rows.map(({ member }) => member.replace(/^'([A-Za-z]\w*)'/, '$1')).join(', ')} }`,
    others: served.filter((file) => !isJson(file)).map((file) => toShort(folder, file.path)),
  }
}

/** The packages that the choices need and that package.json does not name. */
function missingPackages(
  { framework, tests }: Choices,
  present: ReadonlySet<string>,
): readonly string[] {
  const needsMsw = tests.includes('vitest') || tests.includes('jest')
  const needed = ['fixtura', ...(needsMsw ? ['msw'] : []), ...tests.map(packageOf)]
  const all = framework === 'none' ? needed : [...needed, framework]
  const missing = all.filter((name) => !present.has(name))
  // MSW 3 needs Node 22.
  const isOld = Number(process.versions.node.split('.')[0]) < 22
  return missing.map((name) => (name === 'msw' && isOld ? 'msw@2' : name))
}

/** The commands that add development dependencies, by the lock file of each package manager. */
const installers: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm add -D'],
  ['yarn.lock', 'yarn add -D'],
  ['bun.lock', 'bun add -d'],
  ['bun.lockb', 'bun add -d'],
]

async function toInstall(folder: string, packages: readonly string[]): Promise<string> {
  const names = await readdir(folder)
  const found = installers.find(([lockFile]) => names.includes(lockFile))
  return `${found?.[1] ?? 'npm install --save-dev'} ${packages.join(' ')}`
}
