/** Statistics of the values at one place, as plain data; a schema also holds for later values and claims less. */
export interface Statistics {
  /** The number of values, null included. */
  count: number
  nulls: number
  booleans?: { true: number; false: number }
  numbers?: NumberStatistics
  strings?: StringStatistics
  arrays?: ArrayStatistics
  objects?: ObjectStatistics
}

export interface NumberStatistics {
  count: number
  /** How many of the numbers are integers. */
  integers: number
  min: number
  max: number
  /** The most digits after the decimal point, at most 10. */
  decimals: number
  values: ValueStatistics<number>
}

/** The texts at a place. Lengths are in UTF-16 code units. */
export interface StringStatistics {
  count: number
  minLength: number
  maxLength: number
  meanLength: number
  /** The format that all texts have: `uuid`, `ulid`. The schema claims it only with enough evidence. */
  format?: string
  /** The earliest and the latest text, for dates and times of one time zone. */
  min?: string
  max?: string
  values: ValueStatistics<string>
}

export interface ArrayStatistics {
  count: number
  minItems: number
  maxItems: number
  meanItems: number
  /** The elements of all arrays. */
  items: Statistics
}

export interface ObjectStatistics {
  count: number
  minProperties: number
  maxProperties: number
  meanProperties: number
  /** The fields in the order of their first appearance; undefined for a map. */
  fields?: Record<string, FieldStatistics>
  /** The values of a map, an object whose keys are data. */
  values?: Statistics
}

export interface FieldStatistics extends Statistics {
  /** The number of objects that have the field. */
  present: number
}

/** The different values at a place. */
export interface ValueStatistics<T> {
  /** How many different values there are; an estimate if `isSample`. */
  distinct: number
  /** Whether no value, or no value of the sample, occurs twice. False for fewer than two values. */
  isUnique: boolean
  /** Whether `frequencies` lists a random choice of the values; otherwise it lists all. */
  isSample: boolean
  /** How often each value occurs, the most frequent first. */
  frequencies: [value: T, count: number][]
}
