import type { DescribedOperation } from '../dialects/contract/description.ts'
import { withArticle } from '../text/article.ts'

/** Returns the verb with which the `operationId` of an operation begins: `list` in `listPosts`. */
export function verbOf(method: string, kind: DescribedOperation['kind']): string {
  if (method === 'GET') return kind === 'collection' ? 'list' : 'get'
  const verbs: Record<string, string> = {
    POST: 'create',
    PUT: 'replace',
    PATCH: 'update',
    DELETE: 'delete',
    HEAD: 'head',
    OPTIONS: 'options',
  }
  return verbs[method] ?? method.toLowerCase()
}

/** Writes the summary of an operation: `Create an author`. */
export function summaryOf(method: string, { kind, resource, parent }: DescribedOperation): string {
  const { singular, name } = resource
  const subjects = {
    collection: name,
    member: withArticle(singular),
    singleton: `the singleton ${name}`,
    document: `the document ${name}`,
  }
  const subject = subjects[kind]
  const place = parent === undefined ? '' : ` of a record of ${parent}`
  const verbs: Record<string, string> = {
    GET: kind === 'collection' ? `List ${name}` : `Get ${subject}`,
    HEAD: `Get the headers of ${subject}`,
    POST: kind === 'collection' ? `Create ${withArticle(singular)}` : `Replace ${subject}`,
    PUT: `Replace ${subject}`,
    PATCH: `Update ${subject}`,
    DELETE: `Delete ${subject}`,
    OPTIONS: `List the methods of ${subject}`,
  }
  return (verbs[method] ?? `${method} ${subject}`) + place
}
