import { archiveControls } from '../../core/control/archive.ts'
import { documentControls } from '../../core/control/documents.ts'
import { generateControls } from '../../core/control/generate.ts'
import type { MockResponse } from '../../core/http/contract/messages.ts'
import { homeFiles } from '../../studio/home-files.ts'
import { answerHome } from '../web/home.ts'
import type { ControlParts } from './control-parts.ts'

/**
 * The studio, the page at `/`, for a worker: a worker has no files, so the page is a part of its bundle.
 * @example const worker = createWorker({ fixtures: { posts } }, { studio })
 */
export const studio: Studio = Object.assign(
  async (path: string) => answerHome(path, (name) => homeFiles[name], { hasReference: false }),
  {
    parts: {
      // The page is the only part of a worker that generates records.
      documents: { ...documentControls, ...generateControls },
      har: archiveControls,
    },
  },
)

/** The page at `/` and its files, by path; undefined for any other path. */
export interface Studio {
  (path: string): Promise<MockResponse | undefined>
  /** The parts of the control API that the page asks for. */
  readonly parts: Required<ControlParts>
}
