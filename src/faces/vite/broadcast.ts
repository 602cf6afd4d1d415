import { resolve } from 'node:path'
import type { ErrorPayload, Logger, NormalizedHotChannelClient, ViteDevServer } from 'vite'
import { toMessage } from '../../core/errors/error-details.ts'
import { type Conflict, pathOf } from '../../core/fixtures/fixtures.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { formatDiagnostic } from '../../loader/check/diagnose.ts'
import { describeSkipped } from '../../loader/discover/extensions.ts'
import type { LoadResult } from '../../loader/load.ts'
import type { SaveRecords } from '../../loader/persist/save-records.ts'
import type { FixtureChange } from '../../loader/watch/change.ts'
import type { Feed, FeedChange, FeedStatus } from './feed.ts'
import {
  type SaveAnswer,
  type SaveRequest,
  toResolved,
  virtualFixtures,
  virtualStatus,
} from './virtual.ts'

/** Sends a change of the fixture files to every open page, and invalidates the virtual modules. */
export function broadcastChange(server: ViteDevServer, feed: Feed, change: FeedChange): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    for (const id of [virtualFixtures, virtualStatus]) {
      const module = moduleGraph.getModuleById(toResolved(id))
      if (module) moduleGraph.invalidateModule(module)
    }
    if (!isEmpty(change)) hot.send('fixtura:change', change)
  }
  sendStatus(server.environments.client.hot, feed, server.config.root)
}

/** Sends each page the changes that it has missed since the revision of its fixtures. */
export function sendMissedChanges(server: ViteDevServer, feed: Feed): void {
  server.environments.client.hot.on('fixtura:ready', ({ revision }: FeedChange, client) => {
    const missed = feed.since(revision)
    if (!isEmpty(missed)) client.send('fixtura:change', missed)
    sendStatus(client, feed, server.config.root)
  })
}

function isEmpty({ changed, removed }: FeedChange): boolean {
  return removed.length === 0 && Object.keys(changed).length === 0
}

function sendStatus(to: Pick<NormalizedHotChannelClient, 'send'>, feed: Feed, root: string): void {
  const status: FeedStatus = { isBroken: feed.errors.length > 0 }
  to.send('fixtura:status', status)
  const overlay = toErrorOverlay(feed.errors, root)
  if (overlay) to.send(overlay)
}

/** Converts errors of fixture files for Vite's overlay: the first with its location, the others as text. */
export function toErrorOverlay(
  errors: readonly Diagnostic[],
  root: string,
): ErrorPayload | undefined {
  const [first, ...others] = errors
  if (!first) return undefined
  const { file, line, column, message, advice, frame } = first
  const path = resolve(root, file)
  return {
    type: 'error',
    err: {
      plugin: 'fixtura',
      message: [message, advice, ...others.map((other) => formatDiagnostic(other))]
        .filter((part) => part !== undefined)
        .join('\n\n'),
      stack: '',
      id: path,
      ...(frame !== undefined && { frame }),
      ...(line !== undefined && { loc: { file: path, line, column: column ?? 1 } }),
    },
  }
}

/** Writes the edits of records that a page sends into the fixture files, which a page cannot write. */
export function serveSaves(server: ViteDevServer, save: SaveRecords): void {
  server.environments.client.hot.on(
    'fixtura:save',
    async ({ call, name, edits }: SaveRequest, client) => {
      const answer: SaveAnswer = { call }
      try {
        await save(name, new Map(edits.map(({ id, record }) => [id, record])))
      } catch (error) {
        answer.error = toMessage(error)
      }
      client.send('fixtura:saved', answer)
    },
  )
}

/** Logs the problems of the fixtures that a Vite server has loaded, and the files that were not loaded. */
export function logLoaded({ diagnostics, skipped }: LoadResult, logger: Logger): void {
  logProblems(diagnostics, logger)
  for (const line of describeSkipped(skipped)) logger.warn(line, stamped)
}

/** Logs a change: new problems, files without errors again, and conflicts with requests. */
export function logChange(
  { reported, resolved }: FixtureChange,
  conflicts: readonly Conflict[],
  logger: Logger,
): void {
  logProblems(reported, logger)
  for (const file of resolved) logger.info(`${file} can be read again.`, stamped)
  for (const conflict of conflicts) {
    logger.warn(`${pathOf(conflict)}: the fixture replaced changes made by requests.`)
  }
}

const stamped = { timestamp: true }

function logProblems(problems: readonly Diagnostic[], logger: Logger): void {
  for (const problem of problems) {
    const log = isError(problem) ? logger.error : logger.warn
    log(formatDiagnostic(problem), stamped)
  }
}
