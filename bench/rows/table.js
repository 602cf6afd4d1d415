// All rows with their goals. A goal is a ratio to another side: `atLeast` for a speed, `atMost` for a cost;
// `p99` also limits the milliseconds that 99 % of the responses take. A
// watched row has no goal: it shows what changes cost, and is no reason for a second mechanism.

import {
  createCold,
  createCursors,
  createEmbeds,
  createSearches,
  createTrees,
} from '../lib/cold.js'
import { hotList, members, mixed, posts, wholeList } from '../lib/traffic.js'
import { dialectRows } from './dialects.js'
import { flatRow, httpRow } from './http.js'
import { graphqlRows } from './graphql.js'
import { mswRow } from './in-process.js'
import { idleRow, saveFilesRow } from './many-files.js'
import { memoryRow } from './memory.js'
import { proxyRow } from './proxy.js'
import { recordRow } from './record.js'
import { reloadRow } from './reload.js'
import { runtimesRow } from './runtimes.js'
import { shapeRow } from './shape.js'
import { sqliteRows } from './sqlite.js'
import { startRow } from './start.js'
import { supabaseRows } from './supabase.js'

const small = 1_000
const middle = 10_000
const large = 100_000

/** The name, the title, the goal and the measurement of each row. */
export const table = [
  row('member-1k', 'one record of 1,000', atLeast(0.85, 'floor'), http(members, small)),
  row('member-10k', 'one record of 10,000', atLeast(0.85, 'floor'), http(members, middle)),
  row('member-100k', 'one record of 100,000', atLeast(0.85, 'floor'), http(members, large)),
  row(
    'member-flat',
    'one record of 100,000 against one of 1,000',
    atLeast(0.9, 'small'),
    flatRow({ traffic: members, counts: [small, large] }),
  ),
  row(
    'list-hot',
    'filtered, sorted page of 20 of 100,000, the same again and again',
    atLeast(0.75, 'floor'),
    http(hotList, large),
  ),
  row(
    'list-mixed',
    'page of 100,000, each time another filter, sort field or page, one write in ten',
    atLeast(0.03, 'floor'),
    http(mixed, large),
  ),
  row('list-mixed-10k', 'the same of 10,000', atLeast(100, 'json-server-0'), http(mixed, middle)),
  row(
    'list-cold',
    'page of 100,000, no question twice: a boolean, one of 1,000 keys or a range, in any order',
    { ...atLeast(0.03, 'floor'), p99: 30 },
    cold(createCold(), large, []),
  ),
  row(
    'list-cold-writes',
    'the same, one write in eleven',
    { ...atLeast(0.03, 'floor'), p99: 30 },
    cold(createCold({ writes: true }), large, []),
  ),
  row(
    'list-cold-10k',
    'page of 10,000, no question twice',
    { ...atLeast(80, 'json-server-0'), p99: 30 },
    cold(createCold(), middle),
  ),
  row(
    'list-cold-10k-writes',
    'the same, one write in eleven',
    { ...atLeast(80, 'json-server-0'), p99: 30 },
    cold(createCold({ writes: true }), middle),
  ),
  row(
    'list-embed',
    'page of 100,000 with comments and their authors, no question twice',
    atLeast(0.03, 'floor'),
    cold(createEmbeds(), large, ['json-server-0'], { related: true }),
  ),
  row(
    'list-search',
    '`q=` over 100,000, no question twice',
    atLeast(30, 'json-server-0'),
    cold(createSearches(), large, ['json-server-0']),
  ),
  row(
    'list-where',
    '`_where` of 100,000 with `and`, `or` and `not`, no question twice',
    atLeast(0.015, 'floor'),
    cold(createTrees(), large, []),
  ),
  row(
    'list-cursor',
    'page after a cursor anywhere in 100,000, no question twice',
    atLeast(0.03, 'floor'),
    cold(undefined, large, [], { prepare: createCursors }),
  ),
  ...sqliteRows,
  row('list-whole', 'list of 1,000 whole records', atLeast(0.75, 'floor'), http(wholeList, small)),
  row('post', 'POST into 100,000', atLeast(0.4, 'floor'), http(posts, large)),
  row(
    'post-persist',
    'POST into 10,000 with --persist',
    atLeast(20, 'json-server-0'),
    http(posts, middle, { options: ['--persist'], inProcess: false }),
  ),
  row(
    'proxy',
    '`mock record` in front of a server that repeats a page of 20 records',
    atLeast(0.08, 'floor'),
    proxyRow({ count: small }),
  ),
  row(
    'record',
    '`mock record` of 2,000 different requests, 100 a second, while it learns and writes',
    { ...atMost(4, 'floor'), p99: 30 },
    recordRow({ count: 2_000 }),
  ),
  row(
    'start',
    'spawn to first answer, 0.5 MB file',
    atLeast(1, 'json-server-1'),
    startRow({ count: small }),
  ),
  row(
    'start-files',
    'spawn to first answer, folder of 10,000 files',
    watched('holder'),
    startRow({ files: middle }),
  ),
  row(
    'idle-files',
    'share of a core while nothing happens, folder of 10,000 files',
    watched('core'),
    idleRow({ files: middle }),
  ),
  row(
    'save-files',
    'CPU time until 1,000 saved files of 10,000 are served',
    watched('bare'),
    saveFilesRow({ files: middle, saved: small }),
  ),
  row(
    'reload-500k',
    'save to served, 0.5 MB file',
    watched('json-server-1'),
    reloadRow({ count: small }),
  ),
  row(
    'reload-5m',
    'save to served, 5 MB file',
    atLeast(0.8, 'json-server-1'),
    reloadRow({ count: middle }),
  ),
  row(
    'memory',
    'resident memory with the 50 MB file after 10,000 requests',
    atMost(1.5, 'holder'),
    memoryRow({ count: large }),
  ),
  row(
    'shape',
    'JSON Schema and statistics of 100,000 records',
    atMost(2, 'parse'),
    shapeRow({ count: large }),
  ),
  row(
    'msw-member',
    'one record of 10,000 through MSW',
    atMost(1.1, 'constant'),
    mswRow({ traffic: members, count: middle }),
  ),
  row(
    'msw-3-member',
    'the same through MSW 3',
    atMost(1.1, 'constant'),
    mswRow({ traffic: members, count: middle, major: 3 }),
  ),
  row(
    'msw-list',
    'filtered, sorted page of 20 of 10,000 through MSW',
    atMost(1.3, 'constant'),
    mswRow({ traffic: hotList, count: middle }),
  ),
  row(
    'runtimes-member',
    'one record of 1,000 on Node, against Bun, Deno and a worker',
    atLeast(1, 'fixtura-worker'),
    runtimesRow({ traffic: members, count: small }),
  ),
  row(
    'runtimes-posts',
    'new records on Node, against Bun, Deno and a worker, which stores each',
    atLeast(1, 'fixtura-worker'),
    runtimesRow({ traffic: posts, count: small }),
  ),
  ...supabaseRows,
  ...graphqlRows,
  ...dialectRows,
]

function row(name, title, goal, run) {
  return { name, title, goal, run }
}

function atLeast(ratio, against) {
  return { against, atLeast: ratio }
}

function atMost(ratio, against) {
  return { against, atMost: ratio }
}

function watched(against) {
  return { against, isWatched: true }
}

function http(traffic, count, options) {
  return httpRow({ traffic, count, ...options })
}

/** A row of an independent load, with more connections and percentiles. */
function cold(traffic, count, peers, options) {
  const settings = { connections: 32, hasLatency: true, inProcess: false }
  return http(traffic, count, { ...settings, peers, ...options })
}
