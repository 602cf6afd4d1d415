import { idFieldOf } from '../../core/fixtures/id-field.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { createShapes, type Shape } from '../../core/shape/shapes.ts'
import { toSources } from '../../core/shape/sources.ts'
import type { JsonSchema } from '../../core/types/json-schema.ts'
import type { FileSource } from '../../loader/watch/file-source.ts'

/**
 * Creates a function that infers the shapes of the fixtures, from which the types of `virtual:fixtura` are
 * written. Reads the fixture files and the schemas beside them; the behaviours of the mock in the page are
 * unknown to Vite.
 */
export function createPageShapes(
  { data, scanner }: FileSource,
  { id, relations, foreignKeySuffix }: FileConfig,
): () => Shape[] {
  const infer = createShapes()
  return () => {
    const { schemas } = scanner.current()
    return infer(
      toSources(data, (name) => idFieldOf(id, name)),
      {
        relations,
        foreignKeySuffix,
        describe: (name) =>
          Object.hasOwn(schemas, name) ? [{ schema: schemas[name] as JsonSchema }] : [],
      },
    )
  }
}
