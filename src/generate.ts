// The entry `fixtura/generate`: records in the manner of the fixtures, for tests and data.
export {
  build,
  type Counts,
  createGenerator,
  type FieldValue,
  generate,
  type GenerateOptions,
  type Generator,
} from './core/generate/generate.ts'
export type { FakerLike } from './core/generate/words-of-faker.ts'
