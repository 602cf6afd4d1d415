// A row over HTTP: Fixtura, the floor (a server that only repeats responses) and the peers under the same
// load, and FakeRest in process.

import { createRelated } from '../lib/data.js'
import { createModel, verify } from '../lib/model.js'
import { startFloor, startProgram } from '../lib/programs.js'
import { measureLatency, measureThroughput } from '../lib/throughput.js'
import { slices } from '../lib/traffic.js'
import { measureInProcess } from './in-process.js'

/** The number of responses that the floor repeats. */
const mostCopied = 64

/**
 * Creates a row from its traffic, its number of records and the options of Fixtura's server. `prepare` makes the
 * traffic from the running server instead; `related` adds comments and authors to the records; `hasLatency` also
 * measures the percentiles of the times of Fixtura.
 */
export function httpRow({
  traffic: given,
  prepare = () => given,
  count,
  related: isRelated = false,
  connections,
  hasLatency = false,
  peers = ['json-server-0', 'json-server-1'],
  options = [],
  inProcess = true,
}) {
  return async (bench) => {
    const started = []
    const related = isRelated ? createRelated(count) : {}
    const start = async (name, settings = {}) => {
      const file = bench.database(count, related)
      const side = await startProgram(name, file, { ...bench, ...settings })
      started.push(side)
      return side
    }
    try {
      const ours = await start('fixtura', { extra: options, flags: bench.profileFlags })
      const traffic = await prepare(ours)
      const toRequests = once((round) => traffic(count, round))
      const records = bench.records(count)
      const before = toRequests(slices.before).slice(0, checks(count))
      await verify('fixtura', ours.send, before, createModel(records, related))
      const floor = await startFloor(ours, toCopied(toRequests(slices.warm)))
      started.push(floor)

      const others = []
      const notes = []
      if (bench.against) others.push(await start('before', { extra: options }))
      for (const name of bench.alone ? [] : peers) {
        const peer = await start(name)
        others.push(peer)
        notes.push(...(await comparePeer(peer, toRequests(slices.warm), records, related)))
      }
      const sides = [floor, ...others]
      const settings = { ...bench, connections }
      const measured = await measureThroughput(ours, sides, toRequests, settings)
      if (hasLatency) measured.latency = await measureLatency(ours, toRequests, settings)

      const { value } = await ours.send({ kind: 'list', question: {} })
      const after = toRequests(slices.after).slice(0, checks(count))
      await verify('fixtura', ours.send, after, createModel(value, related))

      if (inProcess && !bench.alone) {
        const { ratios } = await measureInProcess(
          { via: 'fetch', traffic: traffic.name, count },
          bench,
        )
        measured.ratios.fakerest = ratios.fakerest
      }
      return { unit: '/s', ...measured, notes: [...notes, ...measured.notes] }
    } finally {
      await Promise.all(started.map((side) => side.stop()))
    }
  }
}

/** Compares Fixtura with 100,000 and with 1,000 records under the same load. */
export function flatRow({ traffic, counts: [small, large] }) {
  return async (bench) => {
    const sides = []
    try {
      for (const count of [large, small]) {
        sides.push(await startProgram('fixtura', bench.database(count), bench))
      }
      const [ours, other] = sides
      const toRequests = once((round) => traffic(small, round))
      const measured = await measureThroughput(
        ours,
        [{ ...other, name: 'small' }],
        toRequests,
        bench,
      )
      return { unit: '/s', ...measured }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
}

/** The first lists of a slice, or its first request. */
function toCopied(requests) {
  const lists = requests.filter(({ kind }) => kind === 'list').slice(0, mostCopied)
  return lists.length > 0 ? lists : requests.slice(0, 1)
}

/** Notes where the requests or the responses of a peer differ, because then the comparison is not exact. */
async function comparePeer(peer, requests, records, related) {
  const first = requests.slice(0, 3).filter(({ kind }) => kind === 'get' || kind === 'list')
  const simple = first.map(peer.simplify)
  const notes = simple.every((request, at) => request === first[at])
    ? []
    : [`${peer.name} embeds the related records, without their own relations`]
  try {
    await verify(peer.name, peer.send, simple, createModel(records, related))
    return notes
  } catch (error) {
    return [...notes, error.message.split('\n')[0]]
  }
}

function checks(count) {
  return count > 10_000 ? 40 : 150
}

function once(make) {
  const made = new Map()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)
  }
}
