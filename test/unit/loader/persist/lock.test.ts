import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished } from 'vitest'

import { lockFixtures } from '../../../../src/loader/persist/lock.ts'
import { canLink, createFolder } from '../folder.ts'
import { listAll } from '../world.ts'

describe('lockFixtures', () => {
  it('locks a path until the lock is released', async () => {
    const cwd = createFolder({ 'f/a.json': [], 'db.json': {} })
    const lock = await lockFixtures(['f', 'db.json'], cwd)
    await expect(lockFixtures(['f'], cwd)).rejects.toThrow(
      `Failed to persist "f": process ${process.pid} persists it already. Please stop that process, or start without --persist.`,
    )
    await expect(lockFixtures(['./db.json'], cwd)).rejects.toThrow('persist "db.json"')
    await lock.release()
    await (await lockFixtures(['f', 'db.json'], cwd)).release()
    expect(listAll(cwd)).toEqual(['db.json', 'f', 'f/a.json'])
  })

  const overlaps: [title: string, held: string, wanted: string][] = [
    ['a folder around it', 'f', 'f/v1/x'],
    ['a folder inside it', 'f/v1/x', 'f'],
    ['a file in it', 'f/v1/b.json', 'f'],
    ['the folder that it is in', 'f', 'f/v1/b.json'],
  ]

  it.each(overlaps)('refuses an overlapping lock for %s', async (_title, held, wanted) => {
    const cwd = createFolder({ 'f/a.json': [], 'f/v1/b.json': {}, 'f/v1/x/c.json': [] })
    const lock = await lockFixtures([held], cwd)
    await expect(lockFixtures([wanted], cwd)).rejects.toThrow(`persist "${wanted}": process`)
    await lock.release()
    await (await lockFixtures([wanted], cwd)).release()
    expect(listAll(cwd).filter((name) => name.includes('.fixtura'))).toEqual([])
  })

  it.runIf(canLink)('does not follow links, which may form a loop', async () => {
    const cwd = createFolder({ 'f/a.json': [], 'f/v1/b.json': [] })
    symlinkSync(join(cwd, 'f'), join(cwd, 'f/up'))
    symlinkSync(join(cwd, 'f'), join(cwd, 'f/v1/up'))
    await (await lockFixtures(['f'], cwd)).release()
  })

  it('locks a path once if it is named twice', async () => {
    const cwd = createFolder({ 'f/a.json': [], 'f/db.json': {} })
    const lock = await lockFixtures(['f', './f', 'f/db.json'], cwd)
    await expect(lockFixtures(['f'], cwd)).rejects.toThrow('persist "f"')
    await lock.release()
    expect(listAll(cwd)).toEqual(['f', 'f/a.json', 'f/db.json'])
  })

  it('locks separate paths at the same time', async () => {
    const cwd = createFolder({
      'f/a.json': {},
      'f/b.json': {},
      'f/v1/c.json': [],
      'f/v10/d.json': [],
    })
    const paths = ['f/a.json', 'f/b.json', 'f/v1', 'f/v10']
    const locks = await Promise.all(paths.map((path) => lockFixtures([path], cwd)))
    await Promise.all(locks.map(({ release }) => release()))
    await (await lockFixtures(['f', 'f/v1'], cwd)).release()
    expect(listAll(cwd).filter((name) => name.includes('.fixtura'))).toEqual([])
  })

  it('releases its locks if it cannot lock every path', async () => {
    const cwd = createFolder({ 'f/a.json': [], 'g/a.json': [] })
    const lock = await lockFixtures(['g'], cwd)
    await expect(lockFixtures(['f', 'g'], cwd)).rejects.toThrow(/"g"/)
    expect(existsSync(join(cwd, 'f/.fixtura'))).toBe(false)
    await lock.release()
  })

  it('refuses a path that another living process has locked', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const cwd = createFolder({ 'f/a.json': [] })
    writeOwner(cwd, { pid: child.pid, host: hostname(), start: Date.now() / 1000 })
    await expect(lockFixtures(['f'], cwd)).rejects.toThrow(
      `process ${child.pid} persists it already`,
    )
    const gone = new Promise((closed) => child.once('close', closed))
    child.kill('SIGKILL')
    await gone
    await (await lockFixtures(['f'], cwd)).release()
  })

  it('removes the lock of a process that exits without releasing it', () => {
    const cwd = createFolder({ 'f/a.json': [] })
    const built = pathToFileURL(join(import.meta.dirname, '../../../../dist/node.js'))
    const script = `import { loadMock } from ${JSON.stringify(built.href)}
      import { existsSync } from 'node:fs'
      await loadMock({ fixtures: 'f', persist: true })
      console.log(existsSync('f/.fixtura/lock'))`
    const args = ['--input-type=module', '-e', script]
    expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })).toBe('true\n')
    expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
  })

  const started = Math.round(Date.now() / 1000 - process.uptime())
  const ended: [title: string, owner: object][] = [
    ['a process that has ended', { pid: 2 ** 22 + 1, host: hostname(), start: started }],
    [
      'an earlier process with the id of this process',
      { pid: process.pid, host: hostname(), start: started - 60 },
    ],
    [
      'a process from before the last start of the machine',
      { pid: process.ppid, host: hostname(), start: 1 },
    ],
    ['a process that was killed while it wrote the lock', {}],
  ]

  it.each(ended)('takes over the lock of %s', async (_title, owner) => {
    const cwd = createFolder({ 'f/a.json': [] })
    const file = writeOwner(cwd, owner)
    const lock = await lockFixtures(['f'], cwd)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: process.pid,
      host: hostname(),
      start: expect.closeTo(started, -1) as number,
    })
    await lock.release()
    expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
  })

  it('lets only one of several processes take over an abandoned lock', async () => {
    for (let round = 0; round < 20; round++) {
      const cwd = createFolder({ 'f/a.json': [] })
      writeOwner(cwd, { pid: 2 ** 22 + 1, host: hostname(), start: started })
      const takers = Array.from({ length: 8 }, () => lockFixtures(['f'], cwd))
      const taken = (await Promise.allSettled(takers)).filter(
        ({ status }) => status === 'fulfilled',
      )
      expect(taken).toHaveLength(1)
      await Promise.all(
        takers.map((taker) =>
          taker.then(
            ({ release }) => release(),
            () => undefined,
          ),
        ),
      )
      expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
    }
  })

  it('does not remove the lock of a process that has taken it over', async () => {
    const cwd = createFolder({ 'f/a.json': [] })
    const lock = await lockFixtures(['f'], cwd)
    const file = writeOwner(cwd, { pid: process.ppid, host: hostname(), start: Date.now() / 1000 })
    await lock.release()
    expect(existsSync(file)).toBe(true)
  })

  it('refuses a path that another machine has locked', async () => {
    const cwd = createFolder({ 'f/a.json': [] })
    writeOwner(cwd, { pid: 1, host: 'elsewhere', start: 1 })
    await expect(lockFixtures(['f'], cwd)).rejects.toThrow(
      'process 1 persists it already. Please stop that process on "elsewhere" (delete "f/.fixtura/lock" if it has ended), or start without --persist.',
    )
  })

  it('creates a lock file again that was removed, unless another process has the lock', async () => {
    const cwd = createFolder({ 'f/a.json': [] })
    const file = join(cwd, 'f/.fixtura/lock')
    const lock = await lockFixtures(['f'], cwd)
    rmSync(join(cwd, 'f/.fixtura'), { recursive: true })
    lock.acquire()
    expect(existsSync(file)).toBe(true)
    await lock.release()
    writeOwner(cwd, { pid: process.ppid, host: hostname(), start: Date.now() / 1000 })
    expect(() => lock.acquire()).toThrow(`process ${process.ppid} persists it already`)
  })
})

it.skipIf(process.platform === 'win32')(
  'a lock that could not be created at the start is created later',
  async () => {
    const cwd = createFolder({ 'f/a.json': [], 'g/b.json': [], 'f/.fixtura': '' })
    const lock = await lockFixtures(['f', 'g'], cwd)
    expect(lock.refusal).toMatchObject({ code: 'ENOTDIR' })
    expect(() => lock.acquire()).toThrow('ENOTDIR')
    rmSync(join(cwd, 'f/.fixtura'))
    lock.acquire()
    expect(listAll(cwd).filter((name) => name.endsWith('lock'))).toEqual([
      'f/.fixtura/lock',
      'g/.fixtura/lock',
    ])
    await lock.release()
    expect(listAll(cwd)).toEqual(['f', 'f/a.json', 'g', 'g/b.json'])
  },
)

function writeOwner(cwd: string, owner: object): string {
  mkdirSync(join(cwd, 'f/.fixtura'), { recursive: true })
  const file = join(cwd, 'f/.fixtura/lock')
  writeFileSync(file, JSON.stringify(owner))
  return file
}
