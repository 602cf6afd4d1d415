import type { Controlled, World } from '../http/behaviour.ts'

/** Forks the mock around a world for some of its callers, whose requests its log names as theirs. */
export function forkFor({ host, log }: World, callers: string): Controlled {
  const fork = host().fork()
  fork.onRequest((entry) =>
    log.add({ ...entry, reason: [callers, entry.reason].filter(Boolean).join('; ') }),
  )
  return fork
}
