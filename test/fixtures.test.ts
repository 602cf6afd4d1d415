import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { isRecord, type Json, type JsonRecord } from '../src/core/json/json.ts'

const folder = join(import.meta.dirname, '../fixtures')
const fresh = mkdtempSync(join(tmpdir(), 'fixtura-fixtures-'))

/** The collection that each foreign key refers to. */
const parents: Record<string, string> = {
  categoryId: 'categories',
  postId: 'posts',
  productId: 'products',
  tagId: 'tags',
  tagIds: 'tags',
  userId: 'users',
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const slug = /^[a-z]+(-[a-z]+)*$/

const ids: [name: string, isValid: (id: Json | undefined, index: number) => boolean][] = [
  ['categories', (id) => typeof id === 'string' && slug.test(id)],
  ['comments', (id, index) => id === index + 1],
  ['orders', (id) => typeof id === 'string' && uuid.test(id)],
  ['posts', (id, index) => id === index + 1],
  ['productTags', (id, index) => id === index + 1],
  ['products', (id, index) => id === index + 1],
  ['reviews', (id, index) => id === index + 1],
  ['tags', (id, index) => id === index + 1],
  ['users', (id, index) => id === index + 1],
]

afterAll(() => {
  rmSync(fresh, { recursive: true })
})

describe('the example fixtures', () => {
  it('are what the committed script writes, byte for byte', () => {
    execFileSync(process.execPath, [join(folder, '_generate.js'), fresh])
    expect(contents(folder)).toEqual(contents(fresh))
  })

  it('are small enough to read', () => {
    const texts = Object.values(contents(folder))
    expect(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(400_000)
  })

  it('hold nine collections and one singleton', () => {
    const shapes = Object.entries(load()).map(([name, value]) => [name, Array.isArray(value)])
    expect(Object.fromEntries(shapes)).toEqual({
      ...Object.fromEntries(ids.map(([name]) => [name, true])),
      profile: false,
    })
  })

  it.each(ids)('give %s unique ids of one kind', (name, isValid) => {
    const list = records(load()[name]).map((record) => record['id'])
    expect(list.filter((id, index) => !isValid(id, index))).toEqual([])
    expect(new Set(list).size).toBe(list.length)
  })

  it('have no dangling foreign key', () => {
    const data = load()
    const known = Object.fromEntries(
      ids.map(([name]) => [name, new Set(records(data[name]).map((record) => record['id']))]),
    )
    const found = references(data)
    const dangling = found.filter(([key, value]) => !known[parents[key] ?? '']?.has(value))
    expect(dangling).toEqual([])
    expect(new Set(found.map(([key]) => key))).toEqual(new Set(Object.keys(parents)))
  })
})

function contents(from: string): Record<string, string> {
  const files = readdirSync(from).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(from, name), 'utf8')]))
}

function load(): Record<string, Json> {
  const files = Object.entries(contents(folder))
  return Object.fromEntries(
    files.map(([name, text]) => [name.replace('.json', ''), JSON.parse(text) as Json]),
  )
}

function records(value: Json | undefined): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** Every value below a key that ends in `Id` or `Ids`, at any depth. */
function references(value: Json): [key: string, id: Json][] {
  if (Array.isArray(value)) return value.flatMap(references)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    /Ids?$/.test(key) ? [inner].flat().map((id) => [key, id] as [string, Json]) : references(inner),
  )
}
