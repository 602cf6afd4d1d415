import type { Json } from '../../core/json/json.ts'
import type { Source } from '../../core/fixtures/source.ts'

interface Shape {
  /** The names of the types that are no objects and no arrays. */
  plain: Set<string>
  /** The elements of all arrays together. */
  items: Shape | undefined
  /** What stands under each key of all objects together, and in how many of them. */
  fields: Map<string, { shape: Shape; count: number }>
  objects: number
}

/** An object with more keys than that is taken for a dictionary. */
const maxFields = 60

/** The text of a declaration file for `virtual:fixtura`, with the types that the data shows. */
export function toDeclaration(
  sources: readonly Pick<Source, 'name' | 'value'>[],
  idField: (name: string) => string,
): string {
  const lines = sources.map(({ name, value }) => {
    const isEmpty = Array.isArray(value) && value.length === 0
    const type = isEmpty ? 'Record<string, unknown>[]' : toResource(value, idField(name))
    return `    ${toKey(name)}: ${type}\n`
  })
  return `/* eslint-disable */
// Written by fixtura/vite from the fixtures. What is changed here by hand is lost.
declare module 'virtual:fixtura' {
  import type { FixtureSource } from 'fixtura'

  /** The fixtures by name. */
  export interface Fixtures {
${lines.join('')}  }

  /** The fixtures, which follow the files while the dev server runs. For \`createMock\`. */
  export const fixtures: FixtureSource<Fixtures>

  /** The plugin's \`base\`. For \`createMock\`. */
  export const base: string
}
`
}

function toResource(value: Json, idField: string): string {
  const shape = createShape()
  note(shape, value)
  if (shape.items) requireId(shape.items, idField)
  return toType(shape, '    ')
}

function createShape(): Shape {
  return { plain: new Set(), items: undefined, fields: new Map(), objects: 0 }
}

function note(shape: Shape, value: unknown): void {
  if (Array.isArray(value)) {
    shape.items ??= createShape()
    for (const item of value) note(shape.items, item)
  } else if (typeof value === 'object' && value !== null) {
    shape.objects++
    for (const [key, inner] of Object.entries(value)) {
      const field = shape.fields.get(key) ?? { shape: createShape(), count: 0 }
      field.count++
      note(field.shape, inner)
      shape.fields.set(key, field)
    }
  } else {
    shape.plain.add(value === null ? 'null' : typeof value)
  }
}

function merge(into: Shape, from: Shape): void {
  for (const name of from.plain) into.plain.add(name)
  if (from.items) merge((into.items ??= createShape()), from.items)
  into.objects += from.objects
  for (const [key, { shape, count }] of from.fields) {
    const field = into.fields.get(key) ?? { shape: createShape(), count: 0 }
    field.count += count
    merge(field.shape, shape)
    into.fields.set(key, field)
  }
}

/** A record without an id gets one when it is loaded. */
function requireId(record: Shape, field: string): void {
  const found = record.fields.get(field)
  if (found) found.count = record.objects
  else {
    const shape = { ...createShape(), plain: new Set(['number']) }
    record.fields = new Map([[field, { shape, count: record.objects }], ...record.fields])
  }
}

function toType(shape: Shape, indent: string): string {
  return toTypes(shape, indent).join(' | ')
}

function toTypes(shape: Shape, indent: string): string[] {
  const types: string[] = []
  if (shape.objects > 0) types.push(toObject(shape, indent))
  if (shape.items) types.push(toArray(shape.items, indent))
  const plain = ['string', 'number', 'boolean', 'null'].filter((name) => shape.plain.has(name))
  return [...types, ...plain]
}

function toArray(items: Shape, indent: string): string {
  const types = toTypes(items, indent)
  return types.length > 1 ? `(${types.join(' | ')})[]` : `${types[0] ?? 'unknown'}[]`
}

function toObject({ fields, objects }: Shape, indent: string): string {
  if (fields.size === 0) return 'Record<string, unknown>'
  const inner = `${indent}  `
  if (fields.size > maxFields) {
    const all = createShape()
    for (const { shape } of fields.values()) merge(all, shape)
    return `Record<string, ${toType(all, indent)}>`
  }
  const lines = [...fields].map(
    ([key, { shape, count }]) =>
      `${inner}${toKey(key)}${count < objects ? '?' : ''}: ${toType(shape, inner)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function toKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name
  const text = JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"')
  return `'${text.replaceAll("'", "\\'")}'`
}
