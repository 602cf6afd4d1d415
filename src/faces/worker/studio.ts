import type { MockResponse } from '../../core/http/contract/messages.ts'
import { homeFiles } from '../../studio/home-files.ts'
import { answerHome } from '../web/home.ts'

/** The page at `/` and its files, by path; undefined for any other path. */
export type Studio = (path: string) => Promise<MockResponse | undefined>

/**
 * The studio as a part of the bundle of a worker, as a worker has no files.
 * @example const worker = createWorker({ fixtures: { posts } }, { studio })
 */
export const studio: Studio = async (path) =>
  answerHome(path, (name) => homeFiles[name], { hasReference: false })
