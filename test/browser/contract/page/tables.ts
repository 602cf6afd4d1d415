import type { contract as nodeContract } from '../../../faces.ts'

type Create = Parameters<typeof nodeContract>[1]

/** How the mocks of each table are made, by its title, in the test file that was loaded last. */
export const tables: Map<string, Create> = new Map()

/** Stands in for the `contract` of the tests: the page only needs to know how to make a mock. */
export const contract: typeof nodeContract = (title, create) => {
  if (tables.has(title)) throw new Error(`There are two tables named "${title}".`)
  tables.set(title, create)
}
