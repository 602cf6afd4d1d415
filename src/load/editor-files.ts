import { mkdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { AnyMock } from '../core/http/contract/any-mock.ts'
import { internalsOf, type MockInternals } from '../core/http/contract/internals.ts'
import { toSchemaDocument } from '../core/documents/documents.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { labelOf } from '../core/json/label-of.ts'
import { isRecord, type Json, type JsonRecord } from '../core/json/json.ts'
import { createFixtureShapes } from '../core/mock/shapes.ts'
import { toAnyValue, toElement } from '../core/shape/place.ts'
import type { Shape } from '../core/shape/shapes.ts'
import type { SchemaObject } from '../core/types/json-schema.ts'
import { writeChanged } from '../loader/atomic-write.ts'
import { discover, exists, type FixtureFile } from '../loader/discover/discover.ts'
import { createFixtureText } from '../loader/persist/patch-text.ts'
import { parseText } from '../loader/text/parse.ts'
import { EDITOR_FOLDER, type ResolvedConfig } from './config/resolve-config.ts'

/**
 * Creates a function that writes the JSON Schemas of the fixture files and the settings by which VS Code and JetBrains
 * IDEs find them, and resolves to the paths that have changed. A further call infers only what has changed.
 */
export function createEditorFiles(
  mock: AnyMock,
  { cwd, fixtures }: Pick<ResolvedConfig, 'cwd' | 'fixtures'>,
): () => Promise<string[]> {
  const internals = internalsOf(mock)
  const infer = createFixtureShapes(internals)
  return async () => {
    const { files } = await discover(fixtures, cwd)
    const shapes = infer()
    const mapped = mapFiles(files, shapes, cwd)
    const texts: Record<string, string> = {
      [`${EDITOR_FOLDER}/.gitignore`]: '*\n',
      ...toSchemaTexts(internals, shapes, mapped),
      '.vscode/settings.json': await toSettings(cwd, mapped),
      // Only JetBrains IDEs make this folder.
      ...((await exists(join(cwd, '.idea'))) && {
        '.idea/jsonSchemas.xml': await toMappings(cwd, mapped),
      }),
    }
    const written: string[] = []
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(join(cwd, path, '..'), { recursive: true })
      if (await writeChanged(join(cwd, path), text)) written.push(path)
    }
    return written
  }
}

/** A schema with the fixture files that it describes, as paths from the folder of the project. */
interface MappedFiles {
  /** The name of a resource, or of a database file. */
  name: string
  paths: string[]
  schema: JsonRecord
}

/** Groups fixture files by their schema: those of scenarios have that of their resource. */
function mapFiles(
  files: readonly FixtureFile[],
  shapes: readonly Shape[],
  cwd: string,
): MappedFiles[] {
  const mapped = new Map<string, MappedFiles>()
  for (const { path, kind, name } of files) {
    const short = relative(cwd, path).split(sep).join('/')
    const isListed = (kind === 'resource' || kind === 'database') && /\.json[c5]?$/.test(short)
    if (!isListed || short.startsWith('..')) continue
    const shape = kind === 'resource' ? shapes.find((one) => one.name === name) : undefined
    const schema = shape ? toFileSchema(shape) : toDatabaseSchema(shapes, name)
    const known = mapped.get(name) ?? { name, paths: [], schema }
    known.paths.push(short)
    mapped.set(name, known)
  }
  return [...mapped.values()]
}

function toFileSchema({ name, kind }: Shape): JsonRecord {
  const record = { $ref: `./${toFileName(name)}.record.json` }
  return kind === 'collection' ? { type: 'array', items: record } : record
}

/** The schema of a database, whose keys are the resources in its folder. */
function toDatabaseSchema(shapes: readonly Shape[], name: string): JsonRecord {
  const prefix = name.slice(0, name.lastIndexOf('/') + 1)
  const inside = shapes.filter((shape) => shape.name.startsWith(prefix))
  const members = inside.map((shape) => [shape.name.slice(prefix.length), toFileSchema(shape)])
  return { type: 'object', properties: Object.fromEntries(members) as JsonRecord }
}

function toFileName(name: string): string {
  return name.replaceAll('/', '.')
}

/** The texts of the schemas of files, and of the records in them, by path. */
function toSchemaTexts(
  internals: MockInternals,
  shapes: readonly Shape[],
  mapped: readonly MappedFiles[],
): Record<string, string> {
  const toUrl = (name: string): string => `./${toFileName(name)}.record.json`
  const texts: Record<string, string> = {}
  const add = (file: string, schema: object): void => {
    texts[`${EDITOR_FOLDER}/${file}`] = `${JSON.stringify(schema, null, 2)}\n`
  }
  for (const shape of shapes) {
    const { $id: _id, ...schema } = toSchemaDocument(shape, shapes, toUrl)
    const described = describeFields(schema)
    const listed = shape.relations.reduce<SchemaObject>((whole, { place, to }) => {
      const ids = listIds(internals, to)
      return ids ? changeAt(whole, place, (part) => ({ ...part, ...toChoice(part, ids) })) : whole
    }, described)
    add(`${toFileName(shape.name)}.record.json`, listed)
  }
  for (const { name, schema } of mapped) add(`${toFileName(name)}.schema.json`, schema)
  return texts
}

/** The records of a collection in the fixtures by id; undefined for a collection of more than an editor can list. */
function listIds({ store }: MockInternals, name: string): [id: Json, label: string][] | undefined {
  const collection = store.resources.has(name) ? store.fixtureLayer(name).pristine : undefined
  if (collection?.kind !== 'collection' || collection.size > MAX_IDS) return undefined
  const { idField } = collection
  return Array.from(collection.records(), (record) => [record[idField] ?? null, labelOf(record)])
}

/** The most ids that a schema lists, as an editor shows them in one menu. */
const MAX_IDS = 1_000

/** The keywords that offer ids, with the names of their records. A key may be the text of a number. */
function toChoice(
  { type }: SchemaObject,
  ids: readonly (readonly [id: Json, label: string])[],
): SchemaObject {
  const types = [type].flat()
  const isText = types.includes('string') && !types.includes('integer') && !types.includes('number')
  const rows = ids.map(([id, label]) => [isText ? toText(id) : id, label] as const)
  const all = types.includes('null') ? [...rows, [null, 'None'] as const] : rows
  return {
    enum: all.map(([id]) => id),
    // VS Code and JetBrains IDEs have keywords of their own for the text beside a value.
    enumDescriptions: all.map(([, label]) => label),
    'x-intellij-enum-metadata': Object.fromEntries(
      all.map(([id, label]) => [toText(id), { description: label }]),
    ),
  }
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Changes the part of a schema that describes the values at a place; a schema without such a part stays. */
function changeAt(
  schema: SchemaObject,
  [step, ...rest]: readonly string[],
  change: (part: SchemaObject) => SchemaObject,
): SchemaObject {
  if (step === undefined) return change(schema)
  const keyword = step === toElement ? 'items' : step === toAnyValue ? 'additionalProperties' : ''
  const parent = (keyword === '' ? schema['properties'] : schema) as SchemaObject | undefined
  const key = keyword === '' ? step : keyword
  const part = parent?.[key]
  if (!isRecord(part)) return schema
  const changed = { ...parent, [key]: changeAt(part, rest, change) }
  return keyword === '' ? { ...schema, properties: changed } : changed
}

/** Adds to each field without a description the text that an editor shows for it: its type and its format. */
function describeFields(schema: SchemaObject): SchemaObject {
  const { properties, items } = schema
  const described = Object.entries(isRecord(properties) ? properties : {}).map(([key, field]) => {
    if (!isRecord(field)) return [key, field]
    const { type, format } = field
    const text = [type ?? [], format ?? []].flat().map(toText).join(', ')
    return [key, { ...(text !== '' && { description: text }), ...describeFields(field) }]
  })
  return {
    ...schema,
    ...(isRecord(properties) && { properties: Object.fromEntries(described) as JsonRecord }),
    ...(isRecord(items) && { items: describeFields(items) }),
  }
}

/** The settings of VS Code with the schemas of the fixtures; comments and other settings stay. @throws MockError */
async function toSettings(cwd: string, mapped: readonly MappedFiles[]): Promise<string> {
  const path = join(cwd, '.vscode/settings.json')
  const text = await readFile(path, 'utf8').catch(() => '')
  const before = text.trim() === '' ? '{}\n' : text
  const parsed = parseText(before, '.jsonc')
  if (!('value' in parsed) || !isRecord(parsed.value)) {
    throw new MockError(
      'Failed to read ".vscode/settings.json": it is not an object in JSON with comments. Please mend or remove it.',
      { code: 'OUTPUT_INVALID' },
    )
  }
  const settings = parsed.value
  const own = `./${EDITOR_FOLDER}/`
  const known = Array.isArray(settings['json.schemas']) ? settings['json.schemas'] : []
  const others = known.filter((one) => !isRecord(one) || !toText(one['url']).startsWith(own))
  const added = mapped.map(({ name, paths }) => ({
    fileMatch: paths.map((one) => `/${one}`),
    url: `${own}${toFileName(name)}.schema.json`,
  }))
  const next = createFixtureText(before, settings)
  next.update({ ...settings, 'json.schemas': [...others, ...added] })
  return [...next.pieces()].join('')
}

/** The schemas of a JetBrains project with those of the fixtures; other schemas stay. */
async function toMappings(cwd: string, mapped: readonly MappedFiles[]): Promise<string> {
  const path = join(cwd, '.idea/jsonSchemas.xml')
  const text = await readFile(path, 'utf8').catch(() => '')
  const others = text.match(/^ *<entry key="(?!fixtura )[^]*?^ *<\/entry>\n/gm) ?? []
  return `<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="JsonSchemaMappingsProjectConfiguration">
    <state>
      <map>
${others.join('')}${mapped.map(toEntry).join('')}      </map>
    </state>
  </component>
</project>
`
}

function toEntry({ name, paths }: MappedFiles): string {
  const items = paths.map(
    (path) => `                  <Item>
                    <option name="path" value="${toXml(path)}" />
                  </Item>
`,
  )
  return `        <entry key="fixtura ${toXml(name)}">
          <value>
            <SchemaInfo>
              <option name="name" value="fixtura ${toXml(name)}" />
              <option name="relativePathToSchema" value="${EDITOR_FOLDER}/${toXml(toFileName(name))}.schema.json" />
              <option name="patterns">
                <list>
${items.join('')}                </list>
              </option>
            </SchemaInfo>
          </value>
        </entry>
`
}

function toXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '<': '&lt;', '"': '&quot;', '&': '&amp;' }
  return text.replaceAll(/[<"&]/g, (character) => entities[character] ?? character)
}
