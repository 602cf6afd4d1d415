// A row over HTTP: Fixtura, the floor and the peers under the same load, and FakeRest in process.

import { createModel, verify } from '../lib/model.js'
import { startFloor, startProgram } from '../lib/sides.js'
import { measureThroughput } from '../lib/throughput.js'
import { slices } from '../lib/traffic.js'
import { measureInProcess } from './in-process.js'

const peers = ['json-server-0', 'json-server-1']

/** Creates a row from its traffic, its number of records and the options of Fixtura's server. */
export function httpRow({ traffic, count, options = [], inProcess = true }) {
  return async (bench) => {
    const started = []
    const start = async (name, settings = {}) => {
      const side = await startProgram(name, bench.database(count), { ...bench, ...settings })
      started.push(side)
      return side
    }
    try {
      const toRequests = once((round) => traffic(count, round))
      const ours = await start('fixtura', { extra: options, flags: bench.profileFlags })
      const records = bench.records(count)
      const before = toRequests(slices.before).slice(0, checks(count))
      await verify('fixtura', ours.send, before, createModel(records))
      const floor = await startFloor(ours, toRequests(slices.warm)[0])
      started.push(floor)

      const others = []
      const notes = []
      for (const name of bench.alone ? [] : peers) {
        const peer = await start(name)
        others.push(peer)
        notes.push(...(await comparePeer(peer, toRequests(slices.warm), records)))
      }
      const measured = await measureThroughput(ours, [floor, ...others], toRequests, bench)

      const { value } = await ours.send({ kind: 'list', question: {} })
      const after = toRequests(slices.after).slice(0, checks(count))
      await verify('fixtura', ours.send, after, createModel(value))

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

/** Notes where the responses of a peer differ, because then the comparison is not exact. */
async function comparePeer(peer, requests, records) {
  const first = requests.slice(0, 3).filter(({ kind }) => kind === 'get' || kind === 'list')
  try {
    await verify(peer.name, peer.send, first, createModel(records))
    return []
  } catch (error) {
    return [error.message.split('\n')[0]]
  }
}

function checks(count) {
  return count > 10_000 ? 100 : 300
}

function once(make) {
  const made = new Map()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)
  }
}
