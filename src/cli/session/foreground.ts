import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** Whether a process may read keys from its terminal; also true if the system does not report the foreground. */
export async function isInForeground(pid: number | undefined): Promise<boolean> {
  if (pid === undefined || process.platform === 'win32') return true
  const [own, foreground] = await (process.platform === 'linux' ? readProc(pid) : readPs(pid))
  return own === undefined || foreground === undefined || own === foreground
}

/** The process group of a process, and the one in the foreground of its terminal. */
type Groups = [own?: string | undefined, foreground?: string | undefined]

/** Reads fields 5 and 8 of proc_pid_stat(5), counted from the end of the program name in field 2. */
async function readProc(pid: number): Promise<Groups> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return [fields[2], fields[5]]
}

function readPs(pid: number): Promise<Groups> {
  return new Promise((done) => {
    execFile('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)], (_error, text) => {
      const [own, foreground] = text.trim().split(/\s+/)
      done([own, foreground])
    })
  })
}
