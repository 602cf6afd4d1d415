// Answers the requests below $BASE from the fixtures. Delete this file when the real API is there.
import { createMock } from 'fixtura'
$IMPORTS
const mock = createMock({ fixtures: $FIXTURES, base: '$BASE' })

/** A production build answers 404, unless it runs with MOCK=1. */
const isOn = process.env.NODE_ENV !== 'production' || process.env.MOCK === '1'

const answer = async (request: Request) =>
  isOn ? mock.fetch(request) : new Response(null, { status: 404 })

export {
  answer as GET,
  answer as HEAD,
  answer as POST,
  answer as PUT,
  answer as PATCH,
  answer as DELETE,
  answer as OPTIONS,
}
