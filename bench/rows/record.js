// A row for what a recording adds to the requests that it learns from: different requests at a steady rate,
// by turns to the back end itself and through `mock record`.

import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { startProgram } from '../lib/programs.js'
import { median, quantile } from '../lib/statistics.js'
import { startProxy } from './proxy.js'

/** The time between two requests through the recorder, in milliseconds. */
const pause = 10
/** How many requests for a record there are for each page of a list. */
const membersPerPage = 9

/** What a recording may add to the time of a response, and how late a record may be in its file, in milliseconds. */
const limits = { p99: 20, worst: 50, file: 1_000 }

/** Creates the row: its ratio is the median time of a response through the recorder, divided by that without. */
export function recordRow({ count }) {
  return async (bench) => {
    const sides = []
    try {
      const source = await startProgram('fixtura', bench.database(count), bench)
      sides.push(source)
      const proxy = await startProxy(source, bench)
      sides.push(proxy)
      const disk = watchDisk(join(proxy.cwd, 'fixtures/posts.json'))
      const times = await measure(source.url, proxy.url, count, disk)
      await delay(2_000)
      const lags = disk.stop()
      const { alone, through } = times
      const p99 = (values) => quantile(values, 0.99)
      const worst = (values) => Math.max(...values)
      const added = (pick) => pick(through) - pick(alone)
      const ms = (value) => `${value.toFixed(1)} ms`
      const found = { p99: added(p99), worst: added(worst), file: worst(lags) }
      const missed = Object.keys(limits).filter((name) => found[name] > limits[name])
      return {
        unit: 'ms',
        rates: { fixtura: median(through), floor: median(alone) },
        ratios: { floor: median(through) / median(alone) },
        latency: { p50: median(through), p99: p99(through) },
        broken: missed.length > 0 ? `over its limit: ${missed.join(', ')}` : undefined,
        notes: [
          `added ${ms(added(median))} to the median, ${ms(found.p99)} to 99 %, ${ms(found.worst)} to the worst`,
          `a record is in its file ${ms(median(lags))} after its response, the last ${ms(found.file)}`,
        ],
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
}

/** Sends requests at a steady rate, whether or not the ones before have been answered; returns their times. */
async function measure(direct, recorded, count, disk) {
  const agent = new Agent({ keepAlive: true })
  const alone = []
  const through = []
  const running = []
  const send = async (url, path, times, onAnswer) => {
    times.push(await timeOf(url, path, agent))
    onAnswer?.()
  }
  const start = performance.now()
  for (let at = 0; at < count; at++) {
    const id = at + 1
    const isPage = at % (membersPerPage + 1) === membersPerPage
    const path = isPage ? `/posts?_page=${id % 100}&_limit=20` : `/posts/${id}`
    await delay(start + at * pause - performance.now())
    const onAnswer = isPage ? undefined : () => disk.expect(id)
    running.push(send(recorded, path, through, onAnswer))
    await delay(start + (at + 0.5) * pause - performance.now())
    running.push(send(direct, path, alone))
  }
  await Promise.all(running)
  agent.destroy()
  return { alone, through }
}

/** The time until a response is read, in milliseconds. */
function timeOf(url, path, agent) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { agent }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - start))
    })
      .once('error', reject)
      .end()
  })
}

/** Measures how long after its response each record is in a file, in milliseconds. */
function watchDisk(path) {
  const expected = new Map()
  const lags = []
  const written = new Set()
  let before = 0
  const look = () => {
    const { mtimeMs: at } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
    if (at === before) return
    before = at
    for (const { id } of JSON.parse(readFileSync(path, 'utf8'))) {
      written.add(id)
      const answered = expected.get(id)
      if (answered !== undefined) lags.push(Math.max(0, at - answered))
      expected.delete(id)
    }
  }
  const timer = setInterval(look, 100)
  return {
    // A page of the list may have brought the record before.
    expect: (id) => void (written.has(id) || expected.set(id, Date.now())),
    stop() {
      clearInterval(timer)
      look()
      return [...lags, ...Array.from(expected.values(), () => Infinity)]
    },
  }
}
