import { objectOf } from '../json/flat-schema.ts'
import type { Part } from '../json/documents.ts'
import { define, isRecord, type Json } from '../json/json.ts'
import type { Engine } from './engine.ts'
import type { Tools } from './project.ts'
import { drawValid } from './respond.ts'

/**
 * Draws the members of a generated record again that a schema refuses, such as one that two responses describe
 * differently. Returns the record as it is if no other value is valid.
 */
export function repair(record: Json, part: Part, engine: Engine, tools: Tools): Json {
  const issues = engine.issues(part, record)
  const flat = issues.length > 0 ? objectOf(part, tools.flatten) : undefined
  if (!flat || !isRecord(record)) return record
  const repaired = { ...record }
  for (const key of new Set(issues.map(({ path }) => String(path[0] ?? '')))) {
    const [property] = flat.properties.get(key) ?? []
    if (property) define(repaired, key, drawValid(property, engine, tools))
  }
  if (engine.accepts(part, repaired)) return repaired
  const drawn = drawValid(part, engine, tools)
  if (!isRecord(drawn)) return record
  // The record keeps its own values where they are valid together.
  const merged = { ...repaired, ...drawn, ...('id' in repaired && { id: repaired['id'] }) } as Json
  return engine.accepts(part, merged) ? merged : repaired
}
