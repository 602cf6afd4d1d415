import type { contract as nodeContract } from '../../../faces.ts'

type Create = Parameters<typeof nodeContract>[1]

/** The functions that create the mocks of the last loaded test file, by the title of the table. */
export const tables: Map<string, Create> = new Map()

/** Replaces `contract` of the tests: registers how to create the mock of a table. */
export const contract: typeof nodeContract = (title, create) => {
  if (tables.has(title)) throw new Error(`There are two tables named "${title}".`)
  tables.set(title, create)
}
