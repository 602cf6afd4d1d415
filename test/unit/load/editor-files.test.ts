import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'
import { getLanguageService, type JSONDocument, TextDocument } from 'vscode-json-languageservice'

import { main } from '../../../src/cli/main.ts'
import { createFakeIo } from '../cli/fake-io.ts'
import { start } from '../cli/start.ts'
import { createFolder, type Files } from '../loader/folder.ts'

const shop: Files = {
  'fixtures/users.json': [
    { id: 1, name: 'Ada', role: 'admin' },
    { id: 2, name: 'Grace', role: 'member' },
    { id: 3, name: 'Joan', role: 'member' },
    { id: 4, name: 'Mary', role: 'admin' },
  ],
  'fixtures/orders.json': Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    userId: (index % 4) + 1,
    status: index % 2 === 0 ? 'placed' : 'shipped',
    placedAt: '2026-05-01T10:00:00Z',
    lines: [{ productId: 'a', amount: 2 }],
  })),
  'fixtures/products.json': [{ id: 'a', title: 'Apple' }],
  'fixtures/v1/db.json': { things: [{ id: 1, label: 'x' }] },
}

/** Opens a file as VS Code does, with the schemas that the settings of the folder name. */
function open(cwd: string, path: string, text: string): Editor {
  const service = getLanguageService({
    schemaRequestService: async (uri) => readFileSync(fileURLToPath(uri), 'utf8'),
    workspaceContext: { resolveRelativePath: (ref, base) => new URL(ref, base).href },
  })
  const settings = JSON.parse(
    readFileSync(join(cwd, '.vscode/settings.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''),
  ) as { 'json.schemas': { fileMatch: string[]; url: string }[] }
  const root = pathToFileURL(`${cwd}/`).href
  service.configure({
    schemas: settings['json.schemas'].map(({ fileMatch, url }) => ({
      fileMatch: fileMatch.map((pattern) => root + pattern.slice(1)),
      uri: new URL(url, root).href,
    })),
  })
  const at = text.indexOf('|')
  const document = TextDocument.create(root + path, 'json', 1, text.replace('|', ''))
  const json: JSONDocument = service.parseJSONDocument(document)
  const position = document.positionAt(at)
  return {
    async completions() {
      const list = await service.doComplete(document, position, json)
      return (list?.items ?? []).map(({ label, documentation }) => [label, documentation])
    },
    async marks() {
      const found = await service.doValidation(document, json)
      return found.map(({ message, range }) => [
        document.getText(range),
        typeof message === 'string' ? message : message.value,
      ])
    },
    async hover() {
      const hover = await service.doHover(document, position, json)
      return JSON.stringify(hover?.contents ?? null)
    },
  }
}

interface Editor {
  completions(): Promise<unknown[][]>
  marks(): Promise<[text: string, message: string][]>
  hover(): Promise<string>
}

async function writeEditorFiles(files: Files, ...args: string[]): Promise<string> {
  const cwd = createFolder(files)
  const io = createFakeIo({ cwd })
  expect([await main(['types', '--editor', ...args], io), io.err()]).toEqual([0, ''])
  return cwd
}

describe('the JSON Schemas for editors', () => {
  it('complete keys, and values that are one of few', async () => {
    const cwd = await writeEditorFiles(shop)
    const keys = await open(cwd, 'fixtures/orders.json', '[{ | }]').completions()
    expect(keys.map(([label]) => String(label)).toSorted(byText)).toEqual([
      'id',
      'lines',
      'placedAt',
      'status',
      'userId',
    ])
    const values = await open(cwd, 'fixtures/orders.json', '[{ "status": | }]').completions()
    expect(values.map(([label]) => String(label)).toSorted(byText)).toEqual([
      '"placed"',
      '"shipped"',
    ])
  })

  it('offer the ids that a key may hold, with the names of the records', async () => {
    const cwd = await writeEditorFiles(shop)
    const ids = await open(cwd, 'fixtures/orders.json', '[{ "userId": | }]').completions()
    expect(ids).toEqual([
      ['1', 'Ada'],
      ['2', 'Grace'],
      ['3', 'Joan'],
      ['4', 'Mary'],
    ])
    const nested = '[{ "lines": [{ "productId": | }] }]'
    expect(await open(cwd, 'fixtures/orders.json', nested).completions()).toEqual([
      ['"a"', 'Apple'],
    ])
  })

  it('mark wrong types, values and ids', async () => {
    const cwd = await writeEditorFiles(shop)
    const order = { id: 1, userId: 9, status: 'lost', placedAt: 5, lines: [] }
    const marks = await open(cwd, 'fixtures/orders.json', JSON.stringify([order])).marks()
    expect(marks.map(([text]) => text)).toEqual(['9', '"lost"', '5'])
    const whole = readFileSync(join(cwd, 'fixtures/orders.json'), 'utf8')
    expect(await open(cwd, 'fixtures/orders.json', whole).marks()).toEqual([])
  })

  it('explain fields and ids in a hover', async () => {
    const cwd = await writeEditorFiles(shop)
    const hover = (text: string): Promise<string> => open(cwd, 'fixtures/orders.json', text).hover()
    expect(await hover('[{ "pla|cedAt": "" }]')).toMatch(/string.*date.*time/)
    expect(await hover('[{ "user|Id": 1 }]')).toContain('The id of a record of')
    expect(await hover('[{ "userId": |2 }]')).toContain('Grace')
  })

  it('describe databases and scenarios', async () => {
    const cwd = await writeEditorFiles({
      ...shop,
      'fixtures/_scenarios/empty/users.json': [],
    })
    const text = '{ "things": [{ "label": 5 }] }'
    expect(await open(cwd, 'fixtures/v1/db.json', text).marks()).toContainEqual([
      '5',
      'Incorrect type. Expected "string".',
    ])
    const user = '[{ "id": 1, "name": 7, "role": "admin" }]'
    const marks = await open(cwd, 'fixtures/_scenarios/empty/users.json', user).marks()
    expect(marks.map(([marked]) => marked)).toEqual(['7'])
  })

  it('follow the files while the server runs', async () => {
    const cwd = await writeEditorFiles(shop)
    const files = Object.keys(shop).map((name) => [name, readFileSync(join(cwd, name), 'utf8')])
    const schema = '.fixtura/schemas/orders.record.json'
    const server = await start({
      ...Object.fromEntries(files),
      '.fixtura/schemas/.gitignore': '*\n',
    })
    await expect.poll(() => readSafe(join(server.cwd, schema))).toContain('Mary')
    const users = JSON.parse(
      readFileSync(join(server.cwd, 'fixtures/users.json'), 'utf8'),
    ) as object[]
    writeFileSync(
      join(server.cwd, 'fixtures/users.json'),
      JSON.stringify([...users, { id: 5, name: 'Katherine', role: 'member' }]),
    )
    await expect.poll(() => readSafe(join(server.cwd, schema))).toContain('Katherine')
    const ids = await open(server.cwd, 'fixtures/orders.json', '[{ "userId": | }]').completions()
    expect(ids).toContainEqual(['5', 'Katherine'])
  })

  it('are not written by a server without them', async () => {
    const server = await start(shop)
    expect(readSafe(join(server.cwd, '.vscode/settings.json'))).toBe('')
  })
})

describe('the settings of editors', () => {
  const settings = `{
  // The team's choice.
  "editor.tabSize": 2,
  "json.schemas": [
    { "fileMatch": ["/own.json"], "url": "./own.schema.json" }, // ours
  ],
}
`

  it('keep comments and other schemas, and change nothing the second time', async () => {
    const cwd = await writeEditorFiles({ ...shop, '.vscode/settings.json': settings })
    const path = join(cwd, '.vscode/settings.json')
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('// The team\'s choice.\n  "editor.tabSize": 2,')
    expect(text).toContain('"url": "./own.schema.json" }, // ours')
    expect(text).toContain('"url": "./.fixtura/schemas/orders.schema.json"')
    const io = createFakeIo({ cwd })
    expect(await main(['types', '--editor'], io)).toBe(0)
    expect(io.out()).toBe('The files of editors are up to date.\n')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('are refused if they are no object', async () => {
    const cwd = createFolder({ ...shop, '.vscode/settings.json': '[1' })
    const io = createFakeIo({ cwd })
    expect(await main(['types', '--editor'], io)).toBe(1)
    expect(io.err()).toMatch(
      /^Failed to read "\.vscode\/settings\.json": .*Please mend or remove it\.\n$/,
    )
    expect(readFileSync(join(cwd, '.vscode/settings.json'), 'utf8')).toBe('[1')
  })

  it('of JetBrains IDEs keep other schemas', async () => {
    const cwd = createFolder(shop)
    mkdirSync(join(cwd, '.idea'))
    const io = createFakeIo({ cwd })
    await main(['types', '--editor'], io)
    expect(io.out()).toContain('wrote  .fixtura/schemas/orders.record.json\n')
    const path = join(cwd, '.idea/jsonSchemas.xml')
    const first = readFileSync(path, 'utf8')
    expect(first).toContain('value=".fixtura/schemas/orders.schema.json"')
    expect(first).toContain('<option name="path" value="fixtures/orders.json" />')
    const own = '        <entry key="own">\n          <value />\n        </entry>\n'
    writeFileSync(path, first.replace('      </map>', `${own}      </map>`))
    await main(['types', '--editor'], createFakeIo({ cwd }))
    const second = readFileSync(path, 'utf8')
    expect(second).toContain(own)
    expect(second.replace(own, '')).toBe(first)
  })
})

function byText(one: string, other: string): number {
  return one.localeCompare(other)
}

function readSafe(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
