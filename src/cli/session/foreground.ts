import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** Whether a process has its terminal to itself; true where nobody can tell. */
export async function isInForeground(pid: number | undefined): Promise<boolean> {
  if (pid === undefined || process.platform === 'win32') return true
  const [own, front] = await (process.platform === 'linux' ? readProc(pid) : askPs(pid))
  return own === undefined || front === undefined || own === front
}

type Groups = [own?: string | undefined, front?: string | undefined]

/** Fields 5 and 8 of proc_pid_stat(5); field 2 is a name that may hold anything. */
async function readProc(pid: number): Promise<Groups> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return [fields[2], fields[5]]
}

function askPs(pid: number): Promise<Groups> {
  return new Promise((done) => {
    execFile('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)], (_error, text) => {
      const [own, front] = text.trim().split(/\s+/)
      done([own, front])
    })
  })
}
