import * as fc from 'fast-check'

import { seed } from './seed.ts'

// A failure prints the seed with the smallest case that fails.
fc.configureGlobal({ seed })

export { fc }
