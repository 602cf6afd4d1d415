import { createPart } from '../part.ts'
import type { Dialect } from './dialect.ts'
import { renderPlain } from './rest/plain.ts'

const whole = createPart(() => import('./rest.ts'))

/** The dialect `rest` for who names none: what no plain read needs is loaded when it is first needed. */
export const restInParts: Dialect = {
  name: 'rest',
  prepare: whole.load,
  parseList: (params, collection) =>
    params.length === 0
      ? { query: {}, ignored: [] }
      : whole.get().rest.parseList(params, collection),
  parseMember: (...asked) => whole.get().rest.parseMember(...asked),
  parseQuery: (...asked) => whole.get().rest.parseQuery(...asked),
  parseDependents: (params) => whole.get().rest.parseDependents(params),
  renderPlain,
  render: (result, context) => whole.get().rest.render(result, context),
  renderError: (error, context) => whole.get().rest.renderError(error, context),
}
