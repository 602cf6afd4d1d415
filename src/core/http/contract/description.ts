import type { RecordDescription } from '../../types/record-description.ts'

/** What a behaviour changes in the API of a mock. Types and API documents are made from it. */
export interface Description {
  /** The records of resources, by resource name. */
  records?: Readonly<Record<string, RecordDescription>>
}
