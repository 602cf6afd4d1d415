import type { MockError } from '../../errors/mock-error.ts'
import { operators } from '../../query/operators.ts'
import { decodeSegment } from '../../url/segment.ts'
import { parseParams } from '../../url/params.ts'
import type { Answer, Call, Changes, Data, Dialect } from '../contract/dialect.ts'
import { rest } from '../rest/rest.ts'

/**
 * The dialect of Supabase: `/rest/v1` answers as PostgREST 13.
 * @example createMock({ fixtures, dialect: supabase })
 */
export const supabase: Dialect = {
  ...rest,
  name: 'supabase',
  prefix: '/rest/v1',
  routes: [{ methods: ['GET', 'HEAD'], path: '/rest/v1/' }],
  locate({ path }, names) {
    const name = tableOf(path)
    return name !== undefined && names.includes(name) ? { name } : undefined
  },
  serve,
  conditions: () => ({}),
  renderError,
}

function serve({ path, search }: Call, data: Data): Answer | Changes {
  const table = tableOf(path) ?? ''
  const and = parseParams(search).flatMap(([name, value]) =>
    value.startsWith('eq.')
      ? [{ path: [name], operator: operators.eq, operands: [value.slice(3)] }]
      : [],
  )
  const { records } = data.run(table, { where: { and } })
  return { status: 200, headers: [], value: records }
}

/** Returns the name of the table at a path; undefined for a path outside of `/rest/v1`. */
function tableOf(path: string): string | undefined {
  const name = /^\/rest\/v1\/([^/]+)$/.exec(path)?.[1]
  return name === undefined ? undefined : decodeSegment(name)
}

function renderError({ status, message, code }: MockError): Answer {
  return { status, headers: [], value: { code, message, details: null, hint: null } }
}
