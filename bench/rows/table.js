// All rows with their goals. A goal is a ratio to another side: `atLeast` for a speed, `atMost` for a cost.

import { hotList, members, mixed, posts, wholeList } from '../lib/traffic.js'
import { flatRow, httpRow } from './http.js'
import { mswRow } from './in-process.js'
import { memoryRow } from './memory.js'
import { proxyRow } from './proxy.js'
import { reloadRow } from './reload.js'
import { runtimesRow } from './runtimes.js'
import { shapeRow } from './shape.js'
import { startRow } from './start.js'

const small = 1_000
const middle = 10_000
const large = 100_000

/** The name, the title, the goal and the measurement of each row. */
export const table = [
  {
    name: 'member-1k',
    title: 'one record of 1,000',
    goal: { against: 'floor', atLeast: 0.85 },
    run: httpRow({ traffic: members, count: small }),
  },
  {
    name: 'member-10k',
    title: 'one record of 10,000',
    goal: { against: 'floor', atLeast: 0.85 },
    run: httpRow({ traffic: members, count: middle }),
  },
  {
    name: 'member-100k',
    title: 'one record of 100,000',
    goal: { against: 'floor', atLeast: 0.85 },
    run: httpRow({ traffic: members, count: large }),
  },
  {
    name: 'member-flat',
    title: 'one record of 100,000 against one of 1,000',
    goal: { against: 'small', atLeast: 0.9 },
    run: flatRow({ traffic: members, counts: [small, large] }),
  },
  {
    name: 'list-hot',
    title: 'filtered, sorted page of 20 of 100,000, the same again and again',
    goal: { against: 'floor', atLeast: 0.75 },
    run: httpRow({ traffic: hotList, count: large }),
  },
  {
    name: 'list-mixed',
    title: 'page of 100,000, each time another filter, sort field or page, one write in ten',
    goal: { against: 'floor', atLeast: 0.03 },
    run: httpRow({ traffic: mixed, count: large }),
  },
  {
    name: 'list-mixed-10k',
    title: 'the same of 10,000',
    goal: { against: 'json-server-0', atLeast: 100 },
    run: httpRow({ traffic: mixed, count: middle }),
  },
  {
    name: 'list-whole',
    title: 'list of 1,000 whole records',
    goal: { against: 'floor', atLeast: 0.75 },
    run: httpRow({ traffic: wholeList, count: small }),
  },
  {
    name: 'post',
    title: 'POST into 100,000',
    goal: { against: 'floor', atLeast: 0.4 },
    run: httpRow({ traffic: posts, count: large }),
  },
  {
    name: 'post-persist',
    title: 'POST into 100,000 with --persist',
    goal: { against: 'floor', atLeast: 0.25 },
    run: httpRow({ traffic: posts, count: large, options: ['--persist'], inProcess: false }),
  },
  {
    name: 'proxy',
    title: '`mock record` in front of a server that repeats a page of 20 records',
    goal: { against: 'floor', atLeast: 0.08 },
    run: proxyRow({ count: small }),
  },
  {
    name: 'start',
    title: 'spawn to first answer, 0.5 MB file',
    goal: { against: 'json-server-1', atLeast: 1 },
    run: startRow({ count: small }),
  },
  {
    name: 'start-files',
    title: 'spawn to first answer, folder of 10,000 files',
    goal: { against: 'holder', atLeast: 0.33 },
    run: startRow({ files: middle }),
  },
  {
    name: 'reload-500k',
    title: 'save to served, 0.5 MB file',
    goal: { against: 'json-server-1', atLeast: 1 },
    run: reloadRow({ count: small }),
  },
  {
    name: 'reload-5m',
    title: 'save to served, 5 MB file',
    goal: { against: 'json-server-1', atLeast: 1 },
    run: reloadRow({ count: middle }),
  },
  {
    name: 'memory',
    title: 'resident memory with the 50 MB file after 10,000 requests',
    goal: { against: 'holder', atMost: 1.5 },
    run: memoryRow({ count: large }),
  },
  {
    name: 'shape',
    title: 'JSON Schema and statistics of 100,000 records',
    goal: { against: 'parse', atMost: 2 },
    run: shapeRow({ count: large }),
  },
  {
    name: 'msw-member',
    title: 'one record of 10,000 through MSW',
    goal: { against: 'constant', atMost: 1.1 },
    run: mswRow({ traffic: members, count: middle }),
  },
  {
    name: 'msw-3-member',
    title: 'the same through MSW 3',
    goal: { against: 'constant', atMost: 1.1 },
    run: mswRow({ traffic: members, count: middle, major: 3 }),
  },
  {
    name: 'msw-list',
    title: 'filtered, sorted page of 20 of 10,000 through MSW',
    goal: { against: 'constant', atMost: 1.3 },
    run: mswRow({ traffic: hotList, count: middle }),
  },
  {
    name: 'runtimes-member',
    title: 'one record of 1,000 on Node, against Bun, Deno and a worker',
    goal: { against: 'fixtura-worker', atLeast: 1 },
    run: runtimesRow({ traffic: members, count: small }),
  },
  {
    name: 'runtimes-posts',
    title: 'new records on Node, against Bun, Deno and a worker, which stores each',
    goal: { against: 'fixtura-worker', atLeast: 1 },
    run: runtimesRow({ traffic: posts, count: small }),
  },
]
