import type { Logger } from 'vite'
import type { IdOption } from '../../core/fixtures/id-field.ts'
import { isError } from '../../core/fixtures/source.ts'
import type { RelationOptions } from '../../core/fixtures/relation-options.ts'
import type { FixtureChange } from '../../loader/watch/change.ts'
import { formatDiagnostic } from '../../loader/check/format.ts'
import { describePassedOver } from '../../loader/discover/kinds.ts'
import { loadFixtures } from '../../loader/load.ts'
import { watchFixtures } from '../../loader/watch/watch.ts'
import { createFeed, type Feed, type FeedChange } from './feed.ts'

/** Which fixtures are followed, and who hears of what. */
export interface FollowOptions {
  paths: readonly string[]
  /** The folder that relative paths start from. */
  root: string
  id: IdOption | undefined
  relations: RelationOptions | undefined
  logger: Logger
  isWatching: boolean
  onChange(change: FeedChange, feed: Feed): void
}

/** Fixtures that are kept up with the disk. */
export interface Following {
  feed: Feed
  close(): Promise<void>
}

/** Loads fixtures and follows their files; problems go to the logger, each once. */
export async function follow(options: FollowOptions): Promise<Following> {
  const { paths, root, id, relations, logger, isWatching, onChange } = options
  const loaded = await loadFixtures(paths, { cwd: root, id, relations })
  const feed = createFeed(loaded)
  report(loaded.diagnostics, logger)
  const { passedOver } = loaded
  if (passedOver.length > 0) logger.warn(describePassedOver(passedOver), stamped)
  if (!isWatching) return { feed, close: async () => {} }
  const hear = (change: FixtureChange): void => {
    report(change.reported, logger)
    for (const file of change.resolved) logger.info(`${file} can be read again.`, stamped)
    onChange(feed.update(change), feed)
  }
  const { close } = await watchFixtures(paths, { cwd: root, id, loaded }, hear)
  return { feed, close }
}

const stamped = { timestamp: true }

function report(diagnostics: FixtureChange['reported'], logger: Logger): void {
  for (const diagnostic of diagnostics) {
    const tell = isError(diagnostic) ? logger.error : logger.warn
    tell(formatDiagnostic(diagnostic), stamped)
  }
}
