// The mock as a Cloudflare Worker: see "Cloudflare Workers" in the documentation of Fixtura.
// Everything that is imported makes it larger. In place of all behaviours and dialects, it can have those that
// mock.config.* and the files name: import { auth, schema } from 'fixtura/behaviours', then behaviours: { auth, schema }.
// For the studio, the page at "/?token=" with the token, uncomment the two lines with "studio".
import * as behaviours from 'fixtura/behaviours'
import * as dialects from 'fixtura/dialects'
import { createProjectWorker } from 'fixtura/worker'
// import { studio } from 'fixtura/studio'
$IMPORTS
const worker = await createProjectWorker(
  {
    config,
    behaviours,
    dialects,
    files: [
$FILES    ],
  },
  {
    // studio,
  },
)

export const { MockSession } = worker
export default worker
