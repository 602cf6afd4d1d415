import type { Json, JsonRecord } from '../json/json.ts'
import type { ParsedExchange } from './parse-exchange.ts'
import type { WriteSample } from './writes/write-samples.ts'

/** The knowledge of the learner, as plain data; the order in which exchanges were added does not matter. */
export interface Learned {
  /** The origin of the real API: `https://api.example.com`. Empty before the first exchange. */
  origin: string
  /** The resources in the order of their names. */
  resources: LearnedResource[]
  /** The options of the configuration that answers like the real API, each with its evidence. */
  options: LearnedOption[]
  /** The dialects that may answer like the real API, the likeliest first. */
  dialects: DialectCandidate[]
  /** The ids of the users who log in; `viewer` of an exchange is an index. */
  viewers?: string[]
  /** The reads that a mock has to answer like the real API: the last response to each URL. */
  reads: RecordedAnswer[]
  /** The responses that belong to no resource: searches, reports, logins. */
  answers: RecordedAnswer[]
  /** The writes to collections, with the records before and after them. */
  writes: WriteSample[]
  /** Options by which writes may do what those of the API do; a replay of the writes decides. */
  proposals: LearnedOption[]
  /** The decisions that the exchanges do not settle. */
  questions: Question[]
}

/** A resource with its records. */
export interface LearnedResource {
  /** The name of the fixture: `posts`, `v1/posts`. */
  name: string
  kind: 'collection' | 'singleton' | 'document'
  /** The field that holds the ids of a collection. */
  idField?: string
  /** The records of a collection, or the value of another resource. */
  value: JsonRecord[] | Json
  /** The ids of the records that the real API has removed. */
  removed: string[]
}

/** An option of the configuration, with the reason for it. */
export interface LearnedOption {
  /** The keys that lead to the option: `['relations', 'posts', 'author']`. */
  path: string[]
  value: Json
  /** Why the option is needed, in one line. */
  evidence: string
}

/** A value of the option `dialect`, with the reason for it. */
export interface DialectCandidate {
  /** Undefined for the default dialect. */
  value: Json | undefined
  evidence: string
  /** The evidence of each option of `rest`. */
  details?: Record<string, string>
}

/** An exchange with the response that the real API gave, without private values. */
export interface RecordedAnswer extends ParsedExchange {
  /** The resources that the response shows. */
  resources: string[]
  /** Whether a later write has changed one of these resources. */
  isOutdated: boolean
  /** Whether only requests without credentials get the response. */
  anonymous?: true
  /** The id of the only user who gets the response. */
  user?: string
  /** The resource whose records decide: the response is for a record that is not there. */
  missing?: string
}

/** Something that is uncertain, and the option that decides it. */
export interface Question {
  text: string
  option: string
}

/** The use that the learner makes of one exchange, which `mock record` prints as a line of its log. */
export interface ExchangeSummary {
  /** `answer` is a response that is stored unchanged, `nothing` a response that is ignored. */
  kind: 'records' | 'removed' | 'answer' | 'nothing'
  /** The summary as text: `3 records of posts (2 new)`, `recorded answer`, `nothing: no JSON`. */
  text: string
}
